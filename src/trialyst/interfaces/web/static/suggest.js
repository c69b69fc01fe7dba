// Suggestions below a field while one types: arrows choose, Enter takes, Escape closes.
const WAIT = 120;
const LONGEST = 80;

export function suggest(root) {
  for (const field of root.querySelectorAll("[data-suggest]")) attach(field);
}

function attach(field) {
  const list = document.createElement("ul");
  list.className = "suggestions";
  list.id = `${field.id}-suggestions`;
  list.setAttribute("role", "listbox");
  list.setAttribute("aria-label", "Suggestions");
  list.hidden = true;
  field.after(list);
  field.setAttribute("role", "combobox");
  field.setAttribute("aria-autocomplete", "list");
  field.setAttribute("aria-controls", list.id);
  field.setAttribute("aria-expanded", "false");
  let timer = 0;
  let at = -1;
  let last = "";
  let dismissed = false;

  const close = () => { list.hidden = true; at = -1; field.setAttribute("aria-expanded", "false"); field.removeAttribute("aria-activedescendant"); };
  const mark = (place) => {
    at = place;
    [...list.children].forEach((each, index) => each.setAttribute("aria-selected", String(index === at)));
    if (at >= 0) { field.setAttribute("aria-activedescendant", list.children[at].id); list.children[at].scrollIntoView({ block: "nearest" }); }
  };
  const take = (item) => { field.value = item.dataset.text; last = field.value; close(); field.focus(); };

  async function ask() {
    const text = field.value.trim();
    if (text === last || text.length < 2 || text.length > LONGEST || text.includes("\n")) { if (text.length < 2) close(); return; }
    last = text;
    const answer = await fetch(`/suggest?${new URLSearchParams({ q: text, kind: field.dataset.suggest })}`);
    if (!answer.ok || dismissed || field.value.trim() !== text || document.activeElement !== field) return;
    const found = await answer.json();
    list.replaceChildren(...found.map((each, place) => {
      const item = document.createElement("li");
      item.id = `${list.id}-${place}`;
      item.setAttribute("role", "option");
      item.setAttribute("aria-selected", "false");
      item.dataset.text = each.text;
      const name = document.createElement("span");
      name.textContent = each.text;
      const kind = document.createElement("span");
      kind.className = "soft small";
      kind.textContent = each.trials ? `${each.kind}, ${each.trials.toLocaleString("en")}` : each.kind;
      item.append(name, kind);
      item.addEventListener("mousedown", (event) => { event.preventDefault(); take(item); });
      return item;
    }));
    list.hidden = !found.length;
    at = -1;
    field.setAttribute("aria-expanded", String(Boolean(found.length)));
  }

  field.addEventListener("input", () => { dismissed = false; clearTimeout(timer); timer = setTimeout(ask, WAIT); });
  field.addEventListener("blur", () => setTimeout(close, 150));
  field.addEventListener("keydown", (event) => {
    if (event.key === "Escape") { dismissed = true; clearTimeout(timer); }
    if (list.hidden) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) { event.preventDefault(); mark((at + step + list.children.length) % list.children.length); }
    else if (event.key === "Enter" && at >= 0) { event.preventDefault(); take(list.children[at]); }
    else if (event.key === "Escape") { event.preventDefault(); close(); }
  });
}

// Everything here is a convenience: each page works without it.
import { suggest } from "./suggest.js";
import { watchJobs } from "./progress.js";
import { matchPage } from "./match.js";

const box = () => document.querySelector("#box, main input[type=search], main input:not([type=hidden])");
const typing = (element) => element.closest("input, textarea, select, [contenteditable]");

// --- keys ---
let marked = -1;
let going = 0;
const items = () => [...document.querySelectorAll("[data-list] > li")];

function mark(step) {
  const all = items();
  if (!all.length) return false;
  marked = Math.max(0, Math.min(all.length - 1, marked + step));
  all.forEach((each, place) => each.classList.toggle("at", place === marked));
  const link = all[marked].querySelector("h2 a, h3 a, a");
  if (link) link.focus();
  all[marked].scrollIntoView({ block: "nearest" });
  return true;
}

const places = { s: "/search", m: "/match", r: "/repurposing", p: "/pathways", h: "/" };
const keys = {
  "/": () => { const field = box(); if (field) { field.focus(); field.select?.(); } return Boolean(field); },
  "?": () => { document.querySelector("#keys")?.showModal(); return true; },
  j: () => mark(1), ArrowDown: () => mark(1),
  k: () => mark(-1), ArrowUp: () => mark(-1),
  c: () => { const choice = items()[marked]?.querySelector("input[name=ids]"); choice?.click(); return Boolean(choice); },
  g: () => { going = Date.now(); return true; },
};

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || typing(event.target)) return;
  if (Date.now() - going < 1500 && places[event.key]) {
    going = 0;
    location.assign(places[event.key]);
    return;
  }
  if (keys[event.key]?.()) event.preventDefault();
});

// --- a form whose answer replaces a part of the page, and stands in the address ---
let asked = null;

async function load(address, target, push) {
  asked?.abort();
  asked = new AbortController();
  target.classList.add("busy");
  try {
    const answer = await fetch(address, { signal: asked.signal, headers: { Accept: "text/html" } });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const fresh = page.getElementById(target.id);
    if (!fresh) { location.assign(address); return; }
    const open = new Set([...target.querySelectorAll("details[open] > summary")].map((each) => each.textContent));
    const focus = document.activeElement?.name && [document.activeElement.name, document.activeElement.value];
    target.replaceChildren(...fresh.childNodes);
    for (const summary of target.querySelectorAll("details > summary")) {
      if (open.has(summary.textContent)) summary.parentElement.open = true;
    }
    if (focus) {
      const again = [...target.querySelectorAll(`[name="${CSS.escape(focus[0])}"]`)].find((each) => each.value === focus[1]);
      again?.focus();
    }
    document.title = page.title;
    marked = -1;
    if (push) history.pushState({ live: true }, "", address);
    ready(target);
  } catch (problem) {
    if (problem.name !== "AbortError") location.assign(address);
  } finally {
    target.classList.remove("busy");
  }
}

function address(form) {
  const pairs = [...new FormData(form)].filter(([name, value]) => value !== "" && typeof value === "string");
  const near = pairs.some(([name]) => name === "near");
  const kept = pairs.filter(([name]) => name !== "within" || near);
  return `${form.getAttribute("action")}?${new URLSearchParams(kept)}`;
}

for (const form of document.querySelectorAll("form[data-live]")) {
  const target = () => document.getElementById(form.dataset.live);
  form.addEventListener("submit", (event) => { event.preventDefault(); load(address(form), target(), true); });
  form.addEventListener("change", (event) => {
    if (event.target.form === form && event.target.closest(`#${form.dataset.live}`)) load(address(form), target(), true);
  });
  addEventListener("popstate", () => load(location.href, target(), false));
}

// --- small things, again after a part was replaced ---
function ready(root) {
  for (const each of root.querySelectorAll(".noscript")) each.hidden = true;
  // On a phone a row of such a table is a card: each cell says what its column is.
  for (const table of root.querySelectorAll("table.stack")) {
    const heads = [...table.tHead.rows[0].cells].map((each) => each.textContent);
    for (const row of table.tBodies[0].rows) [...row.cells].forEach((cell, place) => { cell.dataset.label = heads[place]; });
    table.classList.add("ready");
  }
  if (matchMedia("(max-width: 52rem)").matches) {
    for (const each of root.querySelectorAll("details.phone")) each.open = false;
  }
}

// Before the box hears Enter, a suggestion may take it.
suggest(document);
for (const area of document.querySelectorAll("textarea#box")) {
  area.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && !event.shiftKey && !area.value.includes("\n") && !event.defaultPrevented) {
      event.preventDefault();
      area.form.requestSubmit();
    }
  });
}

watchJobs(document);
matchPage(document);
ready(document);

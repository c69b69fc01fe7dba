// The match page: evidence lights up in the note, a dropped file becomes the note.
export function matchPage(root) {
  const light = (ids, on) => { for (const id of ids) document.getElementById(id)?.classList.toggle("lit", on); };
  for (const part of root.querySelectorAll("[data-evidence]")) {
    const ids = part.dataset.evidence.split(" ").filter(Boolean);
    if (!ids.length) continue;
    for (const [event, on] of [["mouseenter", true], ["focusin", true], ["mouseleave", false], ["focusout", false]]) {
      part.addEventListener(event, () => light(ids, on));
    }
    part.addEventListener("click", () => document.getElementById(ids[0])?.scrollIntoView({ block: "center" }));
  }
  for (const area of root.querySelectorAll("textarea[data-drop]")) {
    area.addEventListener("dragover", (event) => event.preventDefault());
    area.addEventListener("drop", async (event) => {
      const file = event.dataTransfer?.files?.[0];
      if (!file) return;
      event.preventDefault();
      area.value = await file.text();
    });
  }
}

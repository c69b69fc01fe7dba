// Work under way, told by the server as it goes on.
export function watchJobs(root) {
  for (const part of root.querySelectorAll("[data-job]")) if (part.dataset.running) watch(part);
}

function watch(part) {
  const say = (name, text) => { const place = part.querySelector(`[data-${name}]`); if (place) place.textContent = text; };
  const events = new EventSource(part.dataset.job);
  events.onmessage = (event) => {
    const told = JSON.parse(event.data);
    say("stage", told.stage);
    say("done", told.done.toLocaleString("en"));
    say("total", told.total.toLocaleString("en"));
    say("state", told.state);
    const bar = part.querySelector("progress");
    if (bar) { bar.max = told.total || 1; bar.value = told.done; }
    const lines = part.querySelector("[data-lines]");
    if (lines && told.lines) lines.replaceChildren(...told.lines.map((line) => Object.assign(document.createElement("li"), { textContent: line })));
  };
  events.addEventListener("end", () => { events.close(); location.reload(); });
  events.onerror = () => { if (events.readyState === EventSource.CLOSED) location.reload(); };
}

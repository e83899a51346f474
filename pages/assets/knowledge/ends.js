/* The two ends of a way by their names: what is typed is offered as names, and a name that is known is picked. */
import { call } from "../shared/notices.js";

const TYPING_MS = 150;

export function mountEnds(root, server, { picked }) {
  const inputs = [...root.querySelectorAll("[data-end]")];
  const list = root.querySelector("datalist");
  const known = new Map();
  let typing;
  let asked = 0;

  for (const input of inputs) {
    input.addEventListener("input", () => {
      clearTimeout(typing);
      if (byName(input.value)) choose(input);
      else typing = setTimeout(() => offer(input), TYPING_MS);
    });
    input.addEventListener("change", () => choose(input));
    input.addEventListener("keydown", (event) => event.key === "Escape" && input.blur());
  }
  root.addEventListener("submit", (event) => {
    event.preventDefault();
    if (inputs.includes(document.activeElement)) choose(document.activeElement);
  });

  function byName(words) {
    const wanted = words.trim().toLocaleLowerCase();
    return [...known].find(([, label]) => label.toLocaleLowerCase() === wanted)?.[0];
  }

  async function offer(input) {
    const name = input.value.trim();
    const mine = (asked += 1);
    const reply = name && (await call(server.find_names, { name }));
    if (!reply || mine !== asked) return;
    learn(reply.names);
    list.replaceChildren(...reply.names.map((each) => new Option(each.label, each.label)));
  }

  /** By what is offered, else as the server knows it by another name. */
  async function choose(input) {
    const name = input.value.trim();
    if (!name || input.dataset.chosen === name) return;
    let id = byName(name);
    if (!id) id = (await call(server.find_concept, { name }))?.id;
    if (!id || input.value.trim() !== name) return;
    input.dataset.chosen = name;
    picked(Number(input.dataset.end), id);
  }

  function learn(nodes) {
    for (const node of nodes) known.set(node.id, node.label);
  }

  function show(ids) {
    inputs.forEach((input, place) => {
      if (input === document.activeElement && !ids[place]) return;
      input.value = ids[place] ? known.get(ids[place]) || input.value : "";
      input.dataset.chosen = input.value;
    });
  }

  return { learn, show, clear: () => show([]), name: (id) => known.get(id) || "…" };
}

/* One entry of the bank being written: added, edited, or pinned from a hit. */
import { element } from "../shared/ui.js";
import { t, ui } from "../shared/words.js";

/** `save({ text, tags, always_inject })` gives the reply of the server; a problem of it is shown at the field. */
/**
 * @param {{ text?: string, tags?: string[], always?: boolean, allTags: string[], label?: string }} given
 * @param {(entry: object) => Promise<any>} save
 * @param {(reply: any) => void} done told what came of it, or null
 */
export function entryForm({ text = "", tags = [], always = false, allTags, label }, save, done) {
  const chosen = new Set(tags);
  const area = element("textarea", { dir: "auto", rows: "3", "aria-label": t("memory.text"), placeholder: t("memory.text") });
  area.value = text;
  const problem = element("p.refused", { role: "alert", hidden: true });
  const chips = allTags.map((tag) => {
    const chip = element("button.chip", { "aria-pressed": String(chosen.has(tag)) }, t(`memory.tag_${tag}`));
    chip.addEventListener("click", () => {
      if (!chosen.delete(tag)) chosen.add(tag);
      chip.setAttribute("aria-pressed", chosen.has(tag));
    });
    return chip;
  });
  const box = element("input", { type: "checkbox" });
  box.checked = always;
  const submit = element("button.primary", {}, label || t("memory.save"));
  submit.type = "submit";
  const form = element(
    "form.entry",
    {},
    area,
    problem,
    element("div.chips", { role: "group", "aria-label": t("memory.tags") }, ...chips),
    element("p.hint", {}, t("memory.tags_hint")),
    element("label.always", {}, box, t("memory.always")),
    element("div.acts", {}, submit, element("button", { onclick: () => done(null) }, t("shared.cancel"))),
  );
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    submit.disabled = true;
    const reply = await answered(save, { text: area.value, tags: [...chosen], always_inject: box.checked });
    submit.disabled = false;
    if (!reply.problem) return done(reply);
    const { what, why, remedy } = reply.problem;
    problem.replaceChildren(element("strong", {}, what), ` ${why} ${remedy}`);
    problem.hidden = false;
    area.setAttribute("aria-invalid", "true");
    area.focus();
    return undefined;
  });
  form.addEventListener("keydown", (event) => {
    if (event.key === "Escape") done(null);
  });
  return form;
}

async function answered(save, data) {
  try {
    return await save({ ...data, ui: ui.language });
  } catch (error) {
    console.warn(error);
    return { problem: { what: t("shared.network_what"), why: t("shared.network_why"), remedy: t("shared.network_remedy") } };
  }
}

/* One entry of the bank being written: added, edited, or pinned from a hit. */
import { button, choice, element, onSubmit, unreachable } from "../shared/ui.js";
import { t, ui } from "../shared/words.js";

export const TAGS = ["identity", "preference", "goal", "project", "system_mastery", "agent_growth", "workflow", "context"];

/**
 * `save` gives the reply of the server; a problem of it is shown at the field.
 * @template Reply
 * @param {{ text?: string, tags?: string[], always?: boolean, label?: string }} given
 * @param {(entry: Entry & { ui: string }) => Promise<Reply>} save
 * @param {(reply: Reply | null) => unknown} done told what came of it, or null
 */
export function entryForm({ text = "", tags = [], always = false, label }, save, done) {
  const chosen = new Set(tags);
  const area = element("textarea", { dir: "auto", rows: "3", "aria-label": t("memory.text"), placeholder: t("memory.text") });
  const problem = element("p.refused", { role: "alert", hidden: true });
  const chips = TAGS.map((tag) => choice("button.chip", {}, chosen, tag, [t(`memory.tag_${tag}`)]));
  const box = element("input", { type: "checkbox" });
  const submit = button(label || t("memory.save"), () => {}, "primary", { type: "submit" });
  area.value = text;
  box.checked = always;
  const form = element(
    "form.entry",
    {},
    area,
    problem,
    element("div.chips", { role: "group", "aria-label": t("memory.tags") }, ...chips),
    element("p.hint", {}, t("memory.tags_hint")),
    element("label.always", {}, box, t("memory.always")),
    element("div.acts", {}, submit, button(t("shared.cancel"), () => done(null))),
  );
  const send = async () => {
    submit.disabled = true;
    const [reply, refused] = await answered(save({ text: area.value, tags: [...chosen], always_inject: box.checked, ui: ui.language }));
    submit.disabled = false;
    if (!refused) return done(reply);
    problem.replaceChildren(element("strong", {}, refused.what), ` ${refused.why} ${refused.remedy}`);
    problem.hidden = false;
    area.setAttribute("aria-invalid", "true");
    return area.focus();
  };
  return onSubmit(form, send, () => done(null));
}

/** The reply, or why there is none. @template Reply @param {Promise<Reply>} asked @returns {Promise<[Reply | null, Problem?]>} */
async function answered(asked) {
  try {
    const reply = await asked;
    return [reply, /** @type {{ problem?: Problem }} */ (reply).problem];
  } catch (error) {
    console.warn(error);
    return [null, unreachable()];
  }
}

/* The form for an entry of the bank: added, edited, or pinned from a search result. */
import { replied } from "../shared/server.js";
import { during } from "../shared/timing.js";
import { button, choice, element, onSubmit } from "../shared/ui.js";
import { t } from "../shared/words.js";

export const TAGS = ["identity", "preference", "goal", "project", "system_mastery", "agent_growth", "workflow", "context"];

/**
 * An error of `save` is shown at the field.
 * @template Reply
 * @param {{ text?: string, tags?: string[], always?: boolean, label?: string }} given
 * @param {Action<Entry, Reply>} save
 * @param {(reply: Reply | null) => unknown} done called with the result, or null
 */
export function entryForm({ text = "", tags = [], always = false, label }, save, done) {
  const chosen = new Set(tags);
  const area = element("textarea", { dir: "auto", rows: "3", "aria-label": t("memory.text"), placeholder: t("memory.text") }, text);
  const problem = element("p.refused", { role: "alert", hidden: true });
  const chips = TAGS.map((tag) => choice("button.chip", {}, chosen, tag, [t(`memory.tag_${tag}`)]));
  const box = element("input", { type: "checkbox", checked: always });
  const submit = button(label || t("memory.save"), () => {}, "primary", { type: "submit" });
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
    const reply = await during(submit, () => replied(save, { text: area.value, tags: [...chosen], always_inject: box.checked }));
    if (!reply.problem) return done(reply);
    const { what, why, remedy } = reply.problem;
    problem.replaceChildren(element("strong", {}, what), ` ${why} ${remedy}`);
    problem.hidden = false;
    area.setAttribute("aria-invalid", "true");
    return area.focus();
  };
  return onSubmit(form, send, () => done(null));
}

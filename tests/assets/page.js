/* Browser features that page scripts need before they draw anything: texts, language, storage. */
import { readFileSync } from "node:fs";

const given = {
  localStorage: { getItem: () => null, setItem: () => {} },
  document: { documentElement: { lang: "en" } },
  fetch: async () => Response.json(JSON.parse(readFileSync(process.env.PAGE_TEXTS, "utf8"))),
};
for (const [name, value] of Object.entries(given)) Object.defineProperty(globalThis, name, { value, configurable: true });

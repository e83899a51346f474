/* What scripts of the page find in a browser before they draw anything: its texts, its language, what it stores. */
import { readFileSync } from "node:fs";

const given = {
  localStorage: { getItem: () => null, setItem: () => {} },
  document: { documentElement: { lang: "en" } },
  fetch: async () => Response.json(JSON.parse(readFileSync(process.env.PAGE_TEXTS, "utf8"))),
};
for (const [name, value] of Object.entries(given)) Object.defineProperty(globalThis, name, { value, configurable: true });

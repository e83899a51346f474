import js from "@eslint/js";
import globals from "globals";

export default [
  { ignores: [".venv/**", "pages/assets/shared/loader.js"] },
  js.configs.recommended,
  {
    files: ["pages/assets/**/*.js"],
    languageOptions: { ecmaVersion: 2024, globals: globals.browser },
    rules: {
      complexity: ["error", 12],
      eqeqeq: "error",
      "max-lines": ["error", 400],
      "max-lines-per-function": ["error", { max: 50, skipBlankLines: true, skipComments: true }],
      "no-unused-vars": ["error", { argsIgnorePattern: "^_" }],
      "no-restricted-globals": ["error", { name: "setInterval", message: "The page is told of changes; it does not poll." }],
      "prefer-const": "error",
    },
  },
  { files: ["tests/assets/**/*.js"], languageOptions: { ecmaVersion: 2024, globals: globals.node } },
];

import js from "@eslint/js";
import globals from "globals";

/** What mounts a part of the page holds other functions as a class holds methods: each counts the lines of its own. */
const ownLines = {
  create(context) {
    const open = [];
    const enter = () => open.push(0);
    const leave = (node) => {
      const lines = context.sourceCode.lines.slice(node.loc.start.line - 1, node.loc.end.line);
      const all = lines.filter((line) => line.trim() && !/^\s*(\/\/|\/?\*)/.test(line)).length;
      const own = all - open.pop();
      if (own > 50) context.report({ node, message: `This function has ${own} lines of its own; 50 are allowed.` });
      if (open.length && all > 1) open[open.length - 1] += all;
    };
    const functions = ":matches(FunctionDeclaration, FunctionExpression, ArrowFunctionExpression)";
    return { [functions]: enter, [`${functions}:exit`]: leave };
  },
};

export default [
  { ignores: [".venv/**", "pages/assets/shared/loader.js"] },
  js.configs.recommended,
  {
    files: ["pages/assets/**/*.js"],
    plugins: { page: { rules: { "own-lines": ownLines } } },
    languageOptions: { ecmaVersion: 2024, globals: globals.browser },
    rules: {
      complexity: ["error", 12],
      eqeqeq: "error",
      "max-lines": ["error", 400],
      "no-unused-vars": ["error", { argsIgnorePattern: "^_" }],
      "no-restricted-globals": ["error", { name: "setInterval", message: "The page is told of changes; it does not poll." }],
      "page/own-lines": "error",
      "prefer-const": "error",
    },
  },
  { files: ["tests/assets/**/*.js"], languageOptions: { ecmaVersion: 2024, globals: globals.node } },
];

/** Values of JSON as programs write them. Strings of JSON are strings of Python and of JavaScript too. */

interface Words {
  readonly yes: string;
  readonly no: string;
  readonly nothing: string;
  /** Space inside the braces of a one-line object. */
  readonly gap: string;
  readonly step: string;
  name(name: string): string;
}

const PYTHON: Words = {
  yes: "True",
  no: "False",
  nothing: "None",
  gap: "",
  step: "    ",
  name: (name) => JSON.stringify(name),
};

const JAVASCRIPT: Words = {
  yes: "true",
  no: "false",
  nothing: "null",
  gap: " ",
  step: "  ",
  name(name) {
    // The plain form would set the object's prototype.
    if (name === "__proto__") return '["__proto__"]';
    return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
  },
};

/** Max characters of a one-line list or object. */
const LONGEST_LINE = 88;

export const formatPythonLiteral = (value: unknown, indent = ""): string => formatLiteral(value, PYTHON, indent);
export const formatJavascriptLiteral = (value: unknown, indent = ""): string =>
  formatLiteral(value, JAVASCRIPT, indent);

/** @param indent of the line where it starts */
function formatLiteral(value: unknown, words: Words, indent: string): string {
  if (typeof value === "boolean") return value ? words.yes : words.no;
  if (typeof value === "string" || (typeof value === "number" && Number.isFinite(value))) return JSON.stringify(value);
  if (typeof value !== "object" || value === null) return words.nothing;
  const inner = indent + words.step;
  const list = Array.isArray(value);
  const [open, close, gap] = list ? ["[", "]", ""] : ["{", "}", words.gap];
  const items = list
    ? value.map((item) => formatLiteral(item, words, inner))
    : Object.entries(value)
        .filter(([, item]) => item !== undefined)
        .map(([name, item]) => `${words.name(name)}: ${formatLiteral(item, words, inner)}`);
  if (items.length === 0) return `${open}${close}`;
  const line = `${open}${gap}${items.join(", ")}${gap}${close}`;
  if (line.length <= LONGEST_LINE && !line.includes("\n")) return line;
  return `${open}\n${items.map((item) => `${inner}${item},\n`).join("")}${indent}${close}`;
}

import { publicOperations } from "../../contract/operations.ts";
import type { OpenApiObject } from "./document.ts";
import { asList } from "../../lib/records.ts";

/**
 * Renders the public API as a page without scripts: one section per operation, fields as tables, nested ones collapsed.
 * The document is its only source.
 */
export function openApiPage(document: OpenApiObject): string {
  const groups = [...new Set(publicOperations.map(({ group }) => group))];
  const links = groups.map((group) => `<li><a href="#${anchor(group)}">${escapeHtml(group)}</a></li>`).join("");
  const sections = groups.map((group) => getSection(group, document)).join("");
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Postern API</title><link rel="stylesheet" href="/openapi.css"></head>
<body><header><h1>Postern API</h1><p>Every operation takes a local key as <code>Authorization: Bearer sk-…</code>.
The same as data: <a href="/openapi.json">openapi.json</a>.</p><nav aria-label="Groups"><ul>${links}</ul></nav></header>
<main>${sections}</main></body></html>
`;
}

/** Style sheet of the page; the content security policy allows no inline style. */
export const OPENAPI_STYLE = `:root{color-scheme:light dark;font:15px/1.5 system-ui,sans-serif}
body{margin:0 auto;max-width:60rem;padding:1rem}
code{font-family:ui-monospace,monospace;font-size:.92em}
nav ul{display:flex;flex-wrap:wrap;gap:.25rem 1rem;list-style:none;padding:0}
article{border-top:1px solid color-mix(in srgb,currentColor 25%,transparent);padding:.5rem 0}
.table{overflow-x:auto}
table{border-collapse:collapse;min-width:100%}
th,td{padding:.25rem .75rem .25rem 0;text-align:left;vertical-align:top}
summary{cursor:pointer}
`;

function getSection(group: string, document: OpenApiObject): string {
  const operations = publicOperations.filter((operation) => operation.group === group);
  const articles = operations.map(({ method, path }) => getArticle(method, path, at(document, "paths", path, method)));
  return `<section aria-labelledby="${anchor(group)}"><h2 id="${anchor(group)}">${escapeHtml(group)}</h2>${articles.join("")}</section>`;
}

function getArticle(method: string, path: string, operation: OpenApiObject): string {
  const request = at(operation, "requestBody", "content");
  const bodies = Object.entries(request).map(
    ([type, media]) => `<h4>Body: ${escapeHtml(type)}</h4>${getFields(at(media as OpenApiObject, "schema"))}`,
  );
  const parameters = Array.isArray(operation["parameters"])
    ? (operation["parameters"] as readonly OpenApiObject[])
    : [];
  const query = parameters.map(
    (parameter) => `<li><code>${escapeHtml(parameter["name"])}</code> in the ${escapeHtml(parameter["in"])}</li>`,
  );
  const responses = Object.keys(at(operation, "responses", "200", "content")).map(
    (type) => `<code>${escapeHtml(type)}</code>`,
  );
  return `<article><h3><code>${method.toUpperCase()} ${escapeHtml(path)}</code></h3><p>${escapeHtml(operation["summary"])}</p>${
    operation["description"] === undefined ? "" : `<p>${escapeHtml(operation["description"])}</p>`
  }${query.length === 0 ? "" : `<ul>${query.join("")}</ul>`}${bodies.join("")}<p>Answers with ${responses.join(" or ")}.</p></article>`;
}

/** Renders the fields of an object, or of each of its variants. */
function getFields(schema: OpenApiObject): string {
  const forms = schema["anyOf"] ?? schema["oneOf"];
  if (Array.isArray(forms)) return (forms as readonly OpenApiObject[]).map(getFields).join("<p>or</p>");
  const properties = at(schema, "properties");
  const required = asList(schema["required"]);
  const rows = Object.entries(properties).map(
    ([name, field]) =>
      `<tr><th scope="row"><code>${escapeHtml(name)}</code></th><td>${required.includes(name) ? "required" : ""}</td><td>${getShape(field as OpenApiObject)}</td></tr>`,
  );
  if (rows.length === 0) return "";
  return `<div class="table" tabindex="0"><table><thead><tr><th scope="col">Field</th><th scope="col"></th><th scope="col">Accepted</th></tr></thead><tbody>${rows.join("")}</tbody></table></div>`;
}

function getShape(schema: OpenApiObject): string {
  const text = escapeHtml(JSON.stringify(schema));
  return text.length <= 160
    ? `<code>${text}</code>`
    : `<details><summary>as JSON Schema</summary><code>${text}</code></details>`;
}

function at(value: OpenApiObject, ...names: readonly string[]): OpenApiObject {
  let found: unknown = value;
  for (const name of names) found = (found as OpenApiObject | undefined)?.[name];
  return (found ?? {}) as OpenApiObject;
}

function anchor(group: string): string {
  return group.toLowerCase();
}

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

function escapeHtml(text: unknown): string {
  if (typeof text !== "string") return "";
  return text.replaceAll(/[&<>"]/g, (character) => ENTITIES[character] ?? "");
}

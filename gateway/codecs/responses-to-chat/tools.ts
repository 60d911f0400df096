import { asList, isRecord } from "../../lib/records.ts";
import { declaredTool } from "../tool-shapes.ts";
import type { Document } from "../translation.ts";

/** Identity of a client's tool, independent of its name towards the provider. */
export interface ToolIdentity {
  readonly kind: "function" | "custom" | "tool_search";
  readonly name: string;
  /** Null for tools of the default namespace. */
  readonly namespace: string | null;
}

/** The tools of a request: as functions of the chat API, and by either of their names. */
export interface ToolIndex {
  readonly functions: readonly Document[];
  /** Returns the provider's name of a tool; also for tools that only occur in the history. */
  wireName(name: string, namespace: unknown): string;
  /** Identifies the tool that the provider calls. */
  identify(wireName: string): ToolIdentity;
}

/**
 * Codex's default namespace: its "lite" requests wrap all plain tools in it (codex-rs/tools, tool_spec). Its router
 * looks tools up by `name` and `namespace`, and equates a missing namespace with this one.
 */
const DEFAULT_NAMESPACE = "functions";

/** Names that every provider of functions takes. */
const LONGEST_NAME = 64;
const FOREIGN_CHARACTERS = /[^\w-]/g;

/**
 * Converts tools of the Responses API to functions, the only kind of tool that all chat providers support: functions
 * unchanged, namespaces flattened, free-text tools as functions with one string, Codex's client-side `tool_search` as a
 * function. Tools that run at OpenAI (web_search, code_interpreter, …) and `local_shell` have no equivalent and are
 * dropped, which the response reports (services/search).
 */
export function readToolIndex(tools: readonly unknown[]): ToolIndex {
  const functions: Document[] = [];
  const byWire = new Map<string, ToolIdentity>();
  const byIdentity = new Map<string, string>();
  const bare = new Map<string, ToolIdentity | null>();

  const add = (tool: unknown, namespace: string | null): void => {
    if (!isRecord(tool)) return;
    if (tool["type"] === "namespace" && namespace === null) {
      const inner = asList(tool["tools"]);
      for (const one of inner) add(one, readNamespace(tool["name"]));
      return;
    }
    const identity = readIdentity(tool, namespace);
    if (identity === null || byIdentity.has(readKey(identity.name, namespace))) return;
    const wireName = freeName(flatName(identity.name, namespace), byWire);
    byWire.set(wireName, identity);
    byIdentity.set(readKey(identity.name, namespace), wireName);
    bare.set(identity.name, bare.has(identity.name) ? null : identity);
    functions.push(readFunction(tool, identity, wireName));
  };
  for (const tool of tools) add(tool, null);

  return {
    functions,
    wireName: (name, namespace) => {
      const known = byIdentity.get(readKey(name, readNamespace(namespace)));
      return known ?? flatName(name, readNamespace(namespace));
    },
    // Some models omit the prefix, which is accepted if the tool is unambiguous.
    identify: (wireName) =>
      byWire.get(wireName) ?? bare.get(wireName) ?? { kind: "function", name: wireName, namespace: null },
  };
}

function readNamespace(value: unknown): string | null {
  return typeof value === "string" && value !== "" && value !== DEFAULT_NAMESPACE ? value : null;
}

function readKey(name: string, namespace: string | null): string {
  return JSON.stringify([namespace, name]);
}

function readIdentity(tool: Document, namespace: string | null): ToolIdentity | null {
  const { type } = tool;
  if (type === "tool_search") {
    return tool["execution"] === "client" ? { kind: type, name: type, namespace: null } : null;
  }
  const declared = declaredTool(tool);
  if (declared === null) return null;
  // Anthropic calls its functions custom too: they have its schema.
  const isText = type === "custom" && tool["input_schema"] == null;
  return { kind: isText ? "custom" : "function", name: declared.name, namespace };
}

/** Joins names like Codex for APIs without namespaces: `mcp__gw` and `echo` to `mcp__gw__echo`. */
function flatName(name: string, namespace: string | null): string {
  const whole = namespace === null ? name : `${namespace.replace(/(?<!_)_+$/, "")}__${name.replace(/^_+/, "")}`;
  return whole.replaceAll(FOREIGN_CHARACTERS, "_").slice(0, LONGEST_NAME);
}

function freeName(preferred: string, used: ReadonlyMap<string, unknown>): string {
  let name = preferred;
  for (let count = 2; used.has(name); count += 1) {
    const suffix = `_${count}`;
    name = preferred.slice(0, LONGEST_NAME - suffix.length) + suffix;
  }
  return name;
}

const NO_TOOL = { description: null, schema: undefined, strict: null };

function readFunction(tool: Document, identity: ToolIdentity, wireName: string): Document {
  if (identity.kind === "custom") {
    return { type: "function", function: { name: wireName, ...customFunction(tool) } };
  }
  const { description, schema, strict } = declaredTool(tool) ?? NO_TOOL;
  return {
    type: "function",
    function: {
      name: wireName,
      ...(description === null ? {} : { description }),
      parameters: isRecord(schema) ? schema : { type: "object", properties: {} },
      ...(strict === true ? { strict } : {}),
    },
  };
}

/** Declares a free-text tool as a function with one string. Its grammar is only described, not enforced. */
function customFunction(tool: Document): Document {
  const format = isRecord(tool["format"]) ? tool["format"] : {};
  const { syntax, definition } = format;
  const grammar =
    typeof definition === "string"
      ? `The text has to follow this grammar${typeof syntax === "string" ? ` (${syntax})` : ""}:\n${definition}`
      : "";
  const description = [tool["description"], "Give the whole input as one text in `input`.", grammar];
  return {
    description: description.filter((part) => typeof part === "string" && part !== "").join("\n\n"),
    parameters: {
      type: "object",
      properties: { input: { type: "string" } },
      required: ["input"],
      additionalProperties: false,
    },
  };
}

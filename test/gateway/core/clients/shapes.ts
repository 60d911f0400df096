import type { FormatName } from "../../../../gateway/core/clients/file-format.ts";

/** A configuration file as people have it. */
export interface Shape {
  readonly name: string;
  /** Null: there is no file. */
  readonly text: string | null;
  /** A word of the sentence with which it is refused; absent when it is taken. */
  readonly refused?: string;
}

const json: readonly Shape[] = [
  { name: "missing", text: null },
  { name: "empty", text: "" },
  { name: "blank lines only", text: "\n\n  \n" },
  { name: "an empty object", text: "{}" },
  { name: "an empty object over two lines", text: "{\n}\n" },
  { name: "an empty object with blanks", text: "{   }\n" },
  { name: "an empty object with a comment", text: "{\n  // nothing yet\n}\n" },
  { name: "an empty object with a comment beside it", text: "{ /* nothing */ }" },
  { name: "comments only", text: "// settings\n/* none */\n" },
  { name: "two spaces", text: '{\n  "theme": "dark",\n  "list": [1, 2]\n}\n' },
  { name: "four spaces", text: '{\n    "theme": "dark",\n    "deep": {\n        "a": 1\n    }\n}\n' },
  { name: "tabs", text: '{\n\t"theme": "dark",\n\t"env": {\n\t\t"A": "1"\n\t}\n}\n' },
  { name: "odd indentation", text: '{\n   "a": 1,\n "b": {\n       "c": 2\n  }\n      }\n' },
  { name: "one line", text: '{"a":1,"b":[true,null]}' },
  { name: "one line with blanks", text: '{ "a": 1, "env": { "A": "1" }, "mcpServers": {} }\n' },
  { name: "CRLF", text: '{\r\n  "theme": "dark",\r\n  "env": {\r\n    "A": "1"\r\n  }\r\n}\r\n' },
  { name: "CRLF without an end", text: '{\r\n  "theme": "dark"\r\n}' },
  { name: "mixed line endings", text: '{\n  "a": 1,\r\n  "b": 2\n}' },
  { name: "a byte order mark", text: '\uFEFF{\n  "a": 1\n}\n' },
  { name: "a byte order mark and nothing else", text: "\uFEFF" },
  { name: "line comments", text: '{\n  // look\n  "a": 1, // one\n  "b": 2 // two\n  // the end\n}\n' },
  {
    name: "block comments",
    text: '{\n  /* a */ "a": 1 /* b */, /* c */\n  "b": /* d */ 2 /* e */\n  /* f\n g */\n}\n',
  },
  { name: "trailing commas", text: '{\n  "a": [1, 2,],\n  "env": {\n    "A": "1",\n  },\n}\n' },
  { name: "a trailing comma and a comment", text: '{\n  "a": 1, // one\n}\n' },
  { name: "a trailing comma on one line", text: '{ "a": 1, }' },
  { name: "a closing brace beside the last member", text: '{\n  "a": 1,\n  "b": 2}' },
  { name: "a comma that begins a line", text: '{\n    "a": 1\n  , "b": 2\n}\n' },
  { name: "no line ending at the end", text: '{\n  "a": 1\n}' },
  { name: "blank lines between and behind", text: '\n\n{\n\n  "a": 1\n\n}\n\n\n' },
  { name: "braces and commas in strings", text: '{\n  "a": "}, // \\" {",\n  "b": "/* , */"\n}\n' },
  { name: "names with escapes and quotes", text: '{\n  "a\\"b": 1,\n  "\\u0065nv": { "A": "2" }\n}\n' },
  { name: "other scripts", text: '{\n  "名前": "値 🎈",\n  "é": "\\u00e9"\n}\n' },
  { name: "__proto__", text: '{\n  "__proto__": { "a": 1 },\n  "constructor": 2\n}\n' },
  { name: "numbers that are not kept by doubles", text: '{\n  "a": 1e3,\n  "b": 0.1000,\n  "c": -0\n}\n' },
  {
    name: "what is to be written, with other values",
    text: '{\n  "env": {\n    "ANTHROPIC_BASE_URL": "https://elsewhere.example",\n    "ANTHROPIC_AUTH_TOKEN": "sk-old", // mine\n    "B": "2"\n  }\n}\n',
  },
  {
    name: "a server of our name",
    text: '{\n  "mcpServers": {\n    "postern": {"url": "http://127.0.0.1:1/mcp"},\n    "other": { "command": "x" }\n  }\n}\n',
  },
  { name: "an empty object to fill", text: '{\n  "env": {},\n  "provider": {\n  },\n  "mcp": { }\n}\n' },
  { name: "deeply nested", text: `${'{"a":'.repeat(60)}1${"}".repeat(60)}\n` },
  { name: "a long file", text: `{\n${Array.from({ length: 3_000 }, (_, n) => `  "k${n}": "v${n}"`).join(",\n")}\n}\n` },
  { name: "a list at the top", text: "[1]", refused: "no JSON object" },
  { name: "a string at the top", text: '"a"', refused: "no JSON object" },
  { name: "cut off", text: '{\n  "a": 1,\n', refused: "line" },
  { name: "two objects", text: "{}\n{}\n", refused: "line 2" },
  { name: "single quotes", text: "{ 'a': 1 }", refused: "line 1" },
  { name: "a missing comma", text: '{\n  "a": 1\n  "b": 2\n}\n', refused: "line 3" },
  { name: "a merge conflict", text: '<<<<<<< HEAD\n{\n  "a": 1\n}\n=======\n', refused: "line 1" },
  { name: "not JSON at all", text: "theme = dark\n", refused: "not valid JSON" },
  {
    name: "null where an object belongs",
    text: '{ "env": null, "mcpServers": null, "provider": null, "mcp": null }',
    refused: "not an object",
  },
  {
    name: "a list where an object belongs",
    text: '{ "env": [], "mcpServers": [], "provider": [], "mcp": [] }',
    refused: "not an object",
  },
  {
    name: "a name said twice",
    text: '{ "env": {}, "env": {}, "mcpServers": {}, "mcpServers": {}, "provider": {}, "provider": {} }',
    refused: "twice",
  },
];

const toml: readonly Shape[] = [
  { name: "missing", text: null },
  { name: "empty", text: "" },
  { name: "blank lines only", text: "\n\n" },
  { name: "comments only", text: "# mine\n# nothing\n" },
  { name: "one value", text: 'model = "gpt-5.5"\n' },
  { name: "one value without an end", text: 'approval_policy = "never"' },
  { name: "one value with a comment", text: 'model = "gpt-5.5" # the best\nmodel_provider = "openai"# x\n' },
  { name: "a literal string", text: "model = 'gpt-5.5'\n" },
  { name: "odd blanks", text: '  model   =    "a"   # b\n\t\tx = 1\n' },
  { name: "CRLF", text: 'model = "a"\r\n\r\n[tui]\r\ntheme = "x"\r\n' },
  { name: "a byte order mark", text: '\uFEFFmodel = "a"\n[tui]\n' },
  { name: "a table first", text: '[tui]\nmodel = "not mine"\n' },
  { name: "a comment, then a table", text: "# head\n\n[tui]\nnotifications = true\n" },
  { name: "tables and lists of tables", text: "a = 1\n[x]\nb = 2\n[[y]]\nc = 3\n[[y]]\n[y.z]\nd = 4\n" },
  {
    name: "long strings",
    text: 'text = """\n[model_providers.postern]\nmodel = "x"\n"""\nraw = \'\'\'\n# [a]\n\'\'\'\n',
  },
  { name: "a long string that ends in quotes", text: 'text = """a""""\nb = """""c"""""\n' },
  { name: "lists over many lines", text: 'list = [\n  "a", # [x]\n  ["b", "]"],\n]\n[z]\n' },
  { name: "inline tables", text: 'shell = { include = ["A"], "b.c" = { d = 1 } } # }\n' },
  {
    name: "dates and big integers",
    text: "at = 2026-11-22T10:00:00Z\nday = 2026-11-22\nbig = 9223372036854775807\nnan = nan\n",
  },
  { name: "dotted and quoted keys", text: 'a.b."c d" = 1\n"e" = 2\n[f."g.h"]\ni = 3\n' },
  {
    name: "other providers",
    text: '[model_providers.openrouter]\nname = "OpenRouter"\nbase_url = "https://openrouter.ai/api/v1"\n\n[mcp_servers.files]\ncommand = "x"\nargs = ["-y"]\n[mcp_servers.files.env]\nA = "1"\n',
  },
  {
    name: "our tables, by hand",
    text: 'model_provider = "postern"\n\n[model_providers.postern]\nname = "mine"\nbase_url = "http://127.0.0.1:1/v1"\n\n[mcp_servers.postern]\nurl = "http://127.0.0.1:1/mcp"\n# the end\n\n[other]\na = 1\n',
  },
  {
    name: "our table in quotes",
    text: '[ "model_providers" . postern ] # mine\nname = "x"\n[mcp_servers."postern"]\nurl = "y"\n',
  },
  { name: "a blank end", text: "a = 1\n\n\n\n" },
  { name: "other scripts", text: '"名前" = "値 🎈"\n' },
  { name: "no value", text: "model = \n", refused: "line 1" },
  { name: "a key twice", text: "a = 1\na = 2\n", refused: "line 2" },
  { name: "cut off", text: 'a = "x\n', refused: "line 1" },
  { name: "JSON", text: '{ "a": 1 }', refused: "line 1" },
  {
    name: "an inline table in our place",
    text: 'model_providers = { postern = { name = "x" } }\nmcp_servers = { postern = { url = "y" } }\n',
    refused: "already has",
  },
  {
    name: "dotted keys in our place",
    text: 'model_providers.postern.name = "x"\nmcp_servers.postern.url = "y"\n',
    refused: "already has",
  },
  {
    name: "an inline table of others",
    text: 'model_providers = { other = { name = "x" } }\nmcp_servers = { other = { url = "y" } }\n',
    refused: "not valid TOML",
  },
  {
    name: "a table below ours",
    text: '[model_providers.postern]\nname = "x"\n[model_providers.postern.http_headers]\na = "b"\n[mcp_servers.postern]\nurl = "x"\n[mcp_servers.postern.env]\nb = "c"\n',
    refused: "tables of its own",
  },
];

const yaml: readonly Shape[] = [
  { name: "missing", text: null },
  { name: "empty", text: "" },
  { name: "blank lines only", text: "\n\n" },
  { name: "comments only", text: "# mine\n" },
  { name: "a head alone", text: "name: Local\nversion: 1.0.0\nschema: v1\n" },
  { name: "a head without an end", text: "name: Local\nversion: 1.0.0\nschema: v1" },
  {
    name: "models",
    text: "name: A\nmodels:\n  - name: GPT\n    provider: openai\n    model: gpt-5.5\n  - name: Other\n    provider: ollama\nrules:\n  - be kind\n",
  },
  {
    name: "lists that are not moved in",
    text: "models:\n- name: GPT\n  provider: openai\nmcpServers:\n- name: a\n  command: b\n",
  },
  {
    name: "lists moved in by four",
    text: "models:\n    - name: GPT\n      provider: openai\nmcpServers:\n    -   name: a\n        command: b\n",
  },
  {
    name: "comments",
    text: "# head\nmodels: # all\n  # first\n  - name: GPT # best\n    provider: openai # who\n  # last\nrules: [] # none\n",
  },
  { name: "CRLF", text: "name: A\r\nmodels:\r\n  - name: GPT\r\n    provider: openai\r\n" },
  { name: "a byte order mark", text: "\uFEFFname: A\nmodels:\n  - name: GPT\n" },
  { name: "no line ending at the end", text: "models:\n  - name: GPT\n    provider: openai" },
  { name: "an empty list", text: "models: []\nmcpServers: [] # none\n" },
  { name: "nothing behind the names", text: "name: A\nmodels:\nmcpServers: # none\nversion: 1.0.0\n" },
  {
    name: "block text in the last element",
    text: "models:\n  - name: GPT\n    text: |\n      a\n      b\nmcpServers:\n  - name: x\n    text: >-\n      c\n",
  },
  {
    name: "quotes, folds and long lines",
    text: `name: 'it''s'\nlong: ${"word ".repeat(60)}\nmodels:\n  - { name: "a b", provider: openai }\n`,
  },
  { name: "anchors and merges", text: "base: &base\n  provider: openai\nmodels:\n  - <<: *base\n    name: GPT\n" },
  { name: "a document's start", text: "---\nname: A\n" },
  { name: "moved in as a whole", text: "  name: A\n  models:\n    - name: GPT\n" },
  { name: "other scripts", text: "名前: 値 🎈\n" },
  { name: "dates and numbers", text: "at: 2026-11-22\nn: 0o17\nf: 1.50\nversion: 1.0\n" },
  { name: "tabs", text: "name: A\nmodels:\n\t- name: x\n", refused: "not valid YAML" },
  { name: "a name twice", text: "name: A\nname: B\n", refused: "line 2" },
  { name: "cut off", text: 'name: "A\n', refused: "not valid YAML" },
  { name: "a list at the top", text: "- a\n", refused: "mapping" },
  { name: "text at the top", text: "hello\n", refused: "mapping" },
  { name: "several documents", text: "a: 1\n---\nb: 2\n", refused: "several" },
  { name: "short form at the top", text: "{ name: A, models: [] }\n", refused: "short form" },
  {
    name: "short form of the list",
    text: "models: [{ name: GPT }]\nmcpServers: [{ name: x }]\n",
    refused: "not a list",
  },
  { name: "an alias for the list", text: "x: &x\n  - name: a\nmodels: *x\nmcpServers: *x\n", refused: "not a list" },
  { name: "a text for the list", text: "models: none\nmcpServers: none\n", refused: "not a list" },
  { name: "an end of the document", text: "name: A\n...\n", refused: "marks its end" },
];

export const shapes: Readonly<Record<FormatName, readonly Shape[]>> = { json, toml, yaml };

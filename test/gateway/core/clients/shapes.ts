/** A configuration file as people have it. */
export interface Shape {
  readonly name: string;
  /** Null: there is no file. */
  readonly text: string | null;
  /** A word of the sentence with which it is refused; absent when it is taken. */
  readonly refused?: string;
}

/** @param taken texts by name; null: there is no file. @param refused texts with a word of the refusal */
function shapesOf(
  taken: Readonly<Record<string, string | null>>,
  refused: Readonly<Record<string, readonly [text: string, refused: string]>>,
): readonly Shape[] {
  return [
    ...Object.entries(taken).map(([name, text]) => ({ name, text })),
    ...Object.entries(refused).map(([name, [text, word]]) => ({ name, text, refused: word })),
  ];
}

const json = shapesOf(
  {
    missing: null,
    empty: "",
    "blank lines only": "\n\n  \n",
    "an empty object": "{}",
    "an empty object over two lines": "{\n}\n",
    "an empty object with blanks": "{   }\n",
    "an empty object with a comment": "{\n  // nothing yet\n}\n",
    "an empty object with a comment beside it": "{ /* nothing */ }",
    "comments only": "// settings\n/* none */\n",
    "two spaces": '{\n  "theme": "dark",\n  "list": [1, 2]\n}\n',
    "four spaces": '{\n    "theme": "dark",\n    "deep": {\n        "a": 1\n    }\n}\n',
    tabs: '{\n\t"theme": "dark",\n\t"env": {\n\t\t"A": "1"\n\t}\n}\n',
    "odd indentation": '{\n   "a": 1,\n "b": {\n       "c": 2\n  }\n      }\n',
    "one line": '{"a":1,"b":[true,null]}',
    "one line with blanks": '{ "a": 1, "env": { "A": "1" }, "mcpServers": {} }\n',
    CRLF: '{\r\n  "theme": "dark",\r\n  "env": {\r\n    "A": "1"\r\n  }\r\n}\r\n',
    "CRLF without an end": '{\r\n  "theme": "dark"\r\n}',
    "mixed line endings": '{\n  "a": 1,\r\n  "b": 2\n}',
    "a byte order mark": '\uFEFF{\n  "a": 1\n}\n',
    "a byte order mark and nothing else": "\uFEFF",
    "line comments": '{\n  // look\n  "a": 1, // one\n  "b": 2 // two\n  // the end\n}\n',
    "block comments": '{\n  /* a */ "a": 1 /* b */, /* c */\n  "b": /* d */ 2 /* e */\n  /* f\n g */\n}\n',
    "trailing commas": '{\n  "a": [1, 2,],\n  "env": {\n    "A": "1",\n  },\n}\n',
    "a trailing comma and a comment": '{\n  "a": 1, // one\n}\n',
    "a trailing comma on one line": '{ "a": 1, }',
    "a closing brace beside the last member": '{\n  "a": 1,\n  "b": 2}',
    "a comma that begins a line": '{\n    "a": 1\n  , "b": 2\n}\n',
    "no line ending at the end": '{\n  "a": 1\n}',
    "blank lines between and behind": '\n\n{\n\n  "a": 1\n\n}\n\n\n',
    "braces and commas in strings": '{\n  "a": "}, // \\" {",\n  "b": "/* , */"\n}\n',
    "names with escapes and quotes": '{\n  "a\\"b": 1,\n  "\\u0065nv": { "A": "2" }\n}\n',
    "other scripts": '{\n  "名前": "値 🎈",\n  "é": "\\u00e9"\n}\n',
    ["__proto__"]: '{\n  "__proto__": { "a": 1 },\n  "constructor": 2\n}\n',
    "numbers that are not kept by doubles": '{\n  "a": 1e3,\n  "b": 0.1000,\n  "c": -0\n}\n',
    "what is to be written, with other values":
      '{\n  "env": {\n    "ANTHROPIC_BASE_URL": "https://elsewhere.example",\n    "ANTHROPIC_AUTH_TOKEN": "sk-old", // mine\n    "B": "2"\n  }\n}\n',
    "a server of our name":
      '{\n  "mcpServers": {\n    "postern": {"url": "http://127.0.0.1:1/mcp"},\n    "other": { "command": "x" }\n  }\n}\n',
    "an empty object to fill": '{\n  "env": {},\n  "provider": {\n  },\n  "mcp": { }\n}\n',
    "deeply nested": `${'{"a":'.repeat(60)}1${"}".repeat(60)}\n`,
    "a long file": `{\n${Array.from({ length: 3_000 }, (_, n) => `  "k${n}": "v${n}"`).join(",\n")}\n}\n`,
  },
  {
    "a list at the top": ["[1]", "no JSON object"],
    "a string at the top": ['"a"', "no JSON object"],
    "cut off": ['{\n  "a": 1,\n', "line"],
    "two objects": ["{}\n{}\n", "line 2"],
    "single quotes": ["{ 'a': 1 }", "line 1"],
    "a missing comma": ['{\n  "a": 1\n  "b": 2\n}\n', "line 3"],
    "a merge conflict": ['<<<<<<< HEAD\n{\n  "a": 1\n}\n=======\n', "line 1"],
    "not JSON at all": ["theme = dark\n", "not valid JSON"],
    "null where an object belongs": [
      '{ "env": null, "mcpServers": null, "provider": null, "mcp": null }',
      "not an object",
    ],
    "a list where an object belongs": ['{ "env": [], "mcpServers": [], "provider": [], "mcp": [] }', "not an object"],
    "a name said twice": [
      '{ "env": {}, "env": {}, "mcpServers": {}, "mcpServers": {}, "provider": {}, "provider": {} }',
      "twice",
    ],
  },
);

const toml = shapesOf(
  {
    missing: null,
    empty: "",
    "blank lines only": "\n\n",
    "comments only": "# mine\n# nothing\n",
    "one value": 'model = "gpt-5.5"\n',
    "one value without an end": 'approval_policy = "never"',
    "one value with a comment": 'model = "gpt-5.5" # the best\nmodel_provider = "openai"# x\n',
    "a literal string": "model = 'gpt-5.5'\n",
    "odd blanks": '  model   =    "a"   # b\n\t\tx = 1\n',
    CRLF: 'model = "a"\r\n\r\n[tui]\r\ntheme = "x"\r\n',
    "a byte order mark": '\uFEFFmodel = "a"\n[tui]\n',
    "a table first": '[tui]\nmodel = "not mine"\n',
    "a comment, then a table": "# head\n\n[tui]\nnotifications = true\n",
    "tables and lists of tables": "a = 1\n[x]\nb = 2\n[[y]]\nc = 3\n[[y]]\n[y.z]\nd = 4\n",
    "long strings": 'text = """\n[model_providers.postern]\nmodel = "x"\n"""\nraw = \'\'\'\n# [a]\n\'\'\'\n',
    "a long string that ends in quotes": 'text = """a""""\nb = """""c"""""\n',
    "lists over many lines": 'list = [\n  "a", # [x]\n  ["b", "]"],\n]\n[z]\n',
    "inline tables": 'shell = { include = ["A"], "b.c" = { d = 1 } } # }\n',
    "dates and big integers": "at = 2026-11-22T10:00:00Z\nday = 2026-11-22\nbig = 9223372036854775807\nnan = nan\n",
    "dotted and quoted keys": 'a.b."c d" = 1\n"e" = 2\n[f."g.h"]\ni = 3\n',
    "other providers":
      '[model_providers.openrouter]\nname = "OpenRouter"\nbase_url = "https://openrouter.ai/api/v1"\n\n[mcp_servers.files]\ncommand = "x"\nargs = ["-y"]\n[mcp_servers.files.env]\nA = "1"\n',
    "our tables, by hand":
      'model_provider = "postern"\n\n[model_providers.postern]\nname = "mine"\nbase_url = "http://127.0.0.1:1/v1"\n\n[mcp_servers.postern]\nurl = "http://127.0.0.1:1/mcp"\n# the end\n\n[other]\na = 1\n',
    "our table in quotes": '[ "model_providers" . postern ] # mine\nname = "x"\n[mcp_servers."postern"]\nurl = "y"\n',
    "a blank end": "a = 1\n\n\n\n",
    "other scripts": '"名前" = "値 🎈"\n',
  },
  {
    "no value": ["model = \n", "line 1"],
    "a key twice": ["a = 1\na = 2\n", "line 2"],
    "cut off": ['a = "x\n', "line 1"],
    JSON: ['{ "a": 1 }', "line 1"],
    "an inline table in our place": [
      'model_providers = { postern = { name = "x" } }\nmcp_servers = { postern = { url = "y" } }\n',
      "already has",
    ],
    "dotted keys in our place": ['model_providers.postern.name = "x"\nmcp_servers.postern.url = "y"\n', "already has"],
    "an inline table of others": [
      'model_providers = { other = { name = "x" } }\nmcp_servers = { other = { url = "y" } }\n',
      "inline table",
    ],
    "a table below ours": [
      '[model_providers.postern]\nname = "x"\n[model_providers.postern.http_headers]\na = "b"\n[mcp_servers.postern]\nurl = "x"\n[mcp_servers.postern.env]\nb = "c"\n',
      "tables of its own",
    ],
  },
);

const yaml = shapesOf(
  {
    missing: null,
    empty: "",
    "blank lines only": "\n\n",
    "comments only": "# mine\n",
    "a head alone": "name: Local\nversion: 1.0.0\nschema: v1\n",
    "a head without an end": "name: Local\nversion: 1.0.0\nschema: v1",
    models:
      "name: A\nmodels:\n  - name: GPT\n    provider: openai\n    model: gpt-5.5\n  - name: Other\n    provider: ollama\nrules:\n  - be kind\n",
    "lists that are not moved in": "models:\n- name: GPT\n  provider: openai\nmcpServers:\n- name: a\n  command: b\n",
    "lists moved in by four":
      "models:\n    - name: GPT\n      provider: openai\nmcpServers:\n    -   name: a\n        command: b\n",
    comments:
      "# head\nmodels: # all\n  # first\n  - name: GPT # best\n    provider: openai # who\n  # last\nrules: [] # none\n",
    CRLF: "name: A\r\nmodels:\r\n  - name: GPT\r\n    provider: openai\r\n",
    "a byte order mark": "\uFEFFname: A\nmodels:\n  - name: GPT\n",
    "no line ending at the end": "models:\n  - name: GPT\n    provider: openai",
    "an empty list": "models: []\nmcpServers: [] # none\n",
    "nothing behind the names": "name: A\nmodels:\nmcpServers: # none\nversion: 1.0.0\n",
    "block text in the last element":
      "models:\n  - name: GPT\n    text: |\n      a\n      b\nmcpServers:\n  - name: x\n    text: >-\n      c\n",
    "quotes, folds and long lines": `name: 'it''s'\nlong: ${"word ".repeat(60)}\nmodels:\n  - { name: "a b", provider: openai }\n`,
    "anchors and merges": "base: &base\n  provider: openai\nmodels:\n  - <<: *base\n    name: GPT\n",
    "a document's start": "---\nname: A\n",
    "moved in as a whole": "  name: A\n  models:\n    - name: GPT\n",
    "other scripts": "名前: 値 🎈\n",
    "dates and numbers": "at: 2026-11-22\nn: 0o17\nf: 1.50\nversion: 1.0\n",
  },
  {
    tabs: ["name: A\nmodels:\n\t- name: x\n", "not valid YAML"],
    "a name twice": ["name: A\nname: B\n", "line 2"],
    "cut off": ['name: "A\n', "not valid YAML"],
    "a list at the top": ["- a\n", "mapping"],
    "text at the top": ["hello\n", "mapping"],
    "several documents": ["a: 1\n---\nb: 2\n", "several"],
    "short form at the top": ["{ name: A, models: [] }\n", "short form"],
    "short form of the list": ["models: [{ name: GPT }]\nmcpServers: [{ name: x }]\n", "not a list"],
    "an alias for the list": ["x: &x\n  - name: a\nmodels: *x\nmcpServers: *x\n", "not a list"],
    "a text for the list": ["models: none\nmcpServers: none\n", "not a list"],
    "an end of the document": ["name: A\n...\n", "marks its end"],
  },
);

const env = shapesOf(
  {
    missing: null,
    empty: "",
    "comments only": "# mine\n# GEMINI_API_KEY=no\n",
    "a value without an end": "A=1",
    "what is to be replaced": "GEMINI_API_KEY=old # mine\nA=1\n",
    "our names with export and quotes": "export GEMINI_API_KEY='a # b'\n  GEMINI_MODEL = \"x\" # y\n",
    "a name of ours twice": "GEMINI_API_KEY=a\nGEMINI_API_KEY=b\n",
    CRLF: "A=1\r\nB='2'\r\n",
    "a byte order mark": "\uFEFFA=1\n",
    "lines that are no pairs": "hello\n=x\n a b=c\n\nB=\n",
  },
  { "a text over several lines": ['A="one\ntwo"\n', "several lines"] },
);

export const shapes: Readonly<Record<"json" | "toml" | "yaml" | "env", readonly Shape[]>> = {
  json,
  toml,
  yaml,
  env,
};

import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { allImporters } from "../../../../gateway/core/imports/all-importers.ts";
import { knownProviders } from "../../../../gateway/services/imports/known-providers.ts";
import { readProgram } from "../../../../gateway/services/imports/read-program.ts";

const known = knownProviders("http://127.0.0.1:6174");
const SECRET = "ghp_0123456789abcdefghijklmnopqrstuvwxyz";

let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "postern-program-"));
});
afterEach(() => rm(home, { recursive: true, force: true }));

function read(id: string, source: { readonly text?: string; readonly folder?: string }) {
  const importer = allImporters.find((each) => each.id === id);
  if (importer === undefined) throw new Error(`no importer ${id}`);
  const env = { GITHUB_TOKEN: SECRET, OPENAI_API_KEY: SECRET };
  return readProgram(importer, { program: importer.id, ...source }, { platform: "linux", home, env }, known);
}

const texts = allImporters.flatMap((importer) => {
  const expected = importer.files({ home: "/h", platform: "linux", env: {}, folder: "/f" });
  const file = expected.find(({ path, tables }) => tables === undefined && !/\.env(\.local)?$/.test(path));
  return file === undefined ? [] : [[importer.id, file.path.slice("/f/".length)] as const];
});

describe("a file that its program could not read either", () => {
  it("is of most programs", () => {
    expect(texts.length).toBeGreaterThanOrEqual(8);
  });

  it.each(texts)("of %s is named with its line: %s", async (id, name) => {
    const broken = name.endsWith(".json") ? '{\n  "a": [1,\n  "b" }' : "a: b\nc:\n\t- [d\n";
    await mkdir(join(home, name, ".."), { recursive: true });
    for (const [text, line] of [
      [broken, 3],
      [`{}\n# caf\uFFFD`, 2],
    ] as const) {
      await writeFile(join(home, name), text);
      const { setup, fields } = await read(id, { folder: home });
      expect(setup).toEqual({});
      const problem = fields.find(({ reason }) => reason === "unreadable");
      expect(problem).toMatchObject({ field: join(home, name), fate: "left" });
      expect(problem?.value).toMatch(new RegExp(`^Line ${line}: `));
    }
    expect((await read(id, { text: broken })).fields[0]?.value).toMatch(/^Line 3: /);
  });
});

describe("a pasted text", () => {
  it.each([
    ["env", "OPENAI_BASE_URL=https://foreign.example/v1\nOPENAI_API_KEY=${GITHUB_TOKEN}\n"],
    [
      "litellm",
      "model_list: [{model_name: a, litellm_params: {model: openai/a, api_base: 'https://foreign.example/v1'}}]",
    ],
    [
      "litellm",
      "model_list: [{model_name: a, litellm_params: {model: os.environ/GITHUB_TOKEN, api_base: 'https://foreign.example/v1', api_key: os.environ/GITHUB_TOKEN}}]",
    ],
    [
      "opencode",
      '{"provider":{"x":{"options":{"baseURL":"https://foreign.example/v1","apiKey":"{env:GITHUB_TOKEN}"}}}}',
    ],
    [
      "claude-code-router",
      '{"Providers":[{"name":"x","api_base_url":"https://foreign.example/v1","api_key":"$GITHUB_TOKEN","models":["a"]}]}',
    ],
    [
      "bifrost",
      '{"providers":{"openai":{"keys":[{"value":"env.GITHUB_TOKEN"}],"network_config":{"base_url":"https://foreign.example"}}}}',
    ],
    [
      "continue",
      "models: [{provider: openai, model: a, apiBase: 'https://foreign.example/v1', apiKey: '${{ secrets.GITHUB_TOKEN }}'}]",
    ],
    ["zed", '{"language_models":{"openai_compatible":{"github":{"api_url":"https://foreign.example/v1"}}}}'],
  ])("of %s learns no variable of this machine", async (id, text) => {
    expect(JSON.stringify(await read(id, { text }))).not.toContain(SECRET.slice(0, 12));
  });
});

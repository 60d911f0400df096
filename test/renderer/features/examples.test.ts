import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";
import { exampleModel, examples, exampleText } from "../../../renderer/features/overview/examples.ts";
import { modelView } from "../../support/views.ts";

const model = (id: string, ...capabilities: string[]) => modelView({ id, capabilities });

it.each(examples.map(({ id }) => id))("%s names the address, the key and no other host", (id) => {
  const text = exampleText(id, "http://127.0.0.1:6174", "sk-…", "m1");
  expect(text).toMatch(
    /^(claude-code|anthropic)$/.test(id) ? /http:\/\/127\.0\.0\.1:6174(?!\/v1)/ : /http:\/\/127\.0\.0\.1:6174\/v1/,
  );
  expect(text).toContain("sk-…");
  expect(text.match(/https?:\/\/[^/"\s]+/g)).toEqual(["http://127.0.0.1:6174"]);
});

it("asks a model that answers chats now", () => {
  expect(exampleModel([model("embed", "embedding"), model("local", "chat")])).toBe("local");
  expect(exampleModel([model("local", "chat"), model("gpt-5.4-mini", "chat")])).toBe("gpt-5.4-mini");
});

it("points Claude Code at the root by its two variables, and Codex at the Responses API", () => {
  const [claude, codex] = (["claude-code", "codex"] as const).map((id) => exampleText(id, "http://h", "sk-1", "m1"));
  expect(claude).toBe("export ANTHROPIC_BASE_URL=http://h\nexport ANTHROPIC_AUTH_TOKEN=sk-1\nclaude --model m1");
  expect(codex).toContain('base_url = "http://h/v1"\nenv_key = "POSTERN_KEY"\nwire_api = "responses"');
  expect(codex).toContain('model = "m1"\nmodel_provider = "postern"');
});

it("holds a model's name as it is, whatever a provider calls it", () => {
  const name = `it's "$(date)" \`x\``;
  const text = (id: (typeof examples)[number]["id"]): string => exampleText(id, "http://h", "sk-1", name);
  const printed = (script: string): string => execFileSync("sh", ["-c", script], { encoding: "utf8", env: {} });
  expect(JSON.parse(printed(`curl() { for last; do :; done; printf %s "$last"; }\n${text("curl")}`))).toMatchObject({
    model: name,
  });
  expect(printed(`claude() { printf %s "$2"; }\n${text("claude-code")}`)).toBe(name);
  for (const id of ["codex", "python", "typescript", "anthropic"] as const)
    expect(text(id)).toContain(JSON.stringify(name));
});

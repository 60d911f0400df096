import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { NOBODY, identityFrom, getIdentity, selectSentFields } from "../../../../gateway/core/sessions/identity.ts";
import { chat, claudeHeaders, claudeMain, codex, hi, SESSION, user } from "../routes/client-requests.ts";
import type { Fields, Headers } from "../routes/client-requests.ts";

interface Recorded {
  readonly client: string;
  readonly headers: Headers;
  readonly body: Fields;
}

/** Requests of clients that worked in /home/me/my-project and /home/me/plain. */
const requests = JSON.parse(
  readFileSync(join(import.meta.dirname, "../../../fixtures/agents/sessions.json"), "utf8"),
) as readonly Recorded[];

const told3 = (each: Recorded): readonly (string | null)[] => {
  const { session, project, agent } = getIdentity(each.headers, each.body);
  return [session, project, agent];
};

const CLAUDE = "5717f66e-6020-44c9-b72c-42a386591aaf";
const OPENCODE = "ses_df3d67162ffeE2NsGjjTypwhOy";

test.each<[string, readonly (readonly (string | null)[])[]]>([
  ["claude", [["8ac5f18e-56ba-474c-8ddb-9ea055f19053", "my-project", null]]],
  [
    "claude-agent",
    [
      [CLAUDE, "my-project", null],
      [CLAUDE, "my-project", "ad21389678d34f5ec"],
      [CLAUDE, "my-project", null],
    ],
  ],
  ["codex", [["01a20c29-59f0-7051-a47f-c9e920e55f8c", "my-project", null]]],
  ["codex-nogit", [["01a20c29-6e85-7890-9491-6096f1dca592", "plain", null]]],
  [
    "qwen",
    [
      [null, "my-project", null],
      [null, "my-project", null],
    ],
  ],
  // The title is asked for without an environment.
  [
    "opencode",
    [
      [OPENCODE, null, null],
      [OPENCODE, "my-project", null],
    ],
  ],
])("recorded requests of %s", (client, expected) => {
  expect(requests.filter((each) => each.client === client).map(told3)).toEqual(expected);
});

describe("the session", () => {
  test.each<[string, Fields, Headers, string | null]>([
    ["nobody tells", chat(hi), {}, null],
    ["Claude Code's header", claudeMain, { "x-claude-code-session-id": "s1" }, "s1"],
    ["the user's id", claudeMain, {}, SESSION],
    ["the user's id of old", { metadata: { user_id: `user_abc_account_def_session_${SESSION}` } }, {}, SESSION],
    ["another user's id", { metadata: { user_id: "alice" } }, {}, null],
    ["Codex's header", codex, { "session-id": "s2", "thread-id": "t" }, "s2"],
    ["Codex's header of old", {}, { session_id: "s3" }, "s3"],
    ["Codex's cache", codex, {}, SESSION],
    ["opencode's header", {}, { "x-session-affinity": "ses_1" }, "ses_1"],
    ["an agent of opencode's", {}, { "x-session-id": "ses_2", "x-parent-session-id": "ses_1" }, "ses_1"],
    ["OpenRouter's field", chat(hi, { session_id: "s4", prompt_cache_key: "app" }), {}, "s4"],
    ["LiteLLM's field", chat(hi, { litellm_session_id: "s5" }), {}, "s5"],
    ["ours goes first", claudeMain, { ...claudeHeaders, "x-postern-session": "mine" }, "mine"],
    ["an empty one is none", codex, { "x-postern-session": " " }, SESSION],
    ["a long one is none", {}, { "x-postern-session": "x".repeat(257) }, null],
    ["what cannot be printed is none", {}, { "x-postern-session": "a\u0007b" }, null],
    ["a key is taken out", {}, { "x-postern-session": "sk-abcdefghijklmnop" }, "sk-[redacted]"],
    ["no text is none", { session_id: 7, prompt_cache_key: {} }, {}, null],
  ])("%s", (_, body, headers, session) => {
    expect(getIdentity(headers, body).session).toBe(session);
  });
});

const env = (line: string): Fields => chat([{ role: "system", content: `# Environment\n${line}\nPlatform: linux` }]);
const turn = (workspaces: unknown): Headers => ({ "x-codex-turn-metadata": JSON.stringify({ workspaces }) });

describe("the project", () => {
  test.each<[string, Fields, Headers, string | null]>([
    ["ours", claudeMain, { "x-postern-project": " shop " }, "shop"],
    ["ours in UTF-8", {}, { "x-postern-project": Buffer.from("商店").toString("latin1") }, "商店"],
    ["ours in Latin-1", {}, { "x-postern-project": "caf\u00e9" }, "café"],
    ["an empty one of ours", env("Working directory: /a/b"), { "x-postern-project": "" }, "b"],
    ["a long one is shortened", {}, { "x-postern-project": "p".repeat(150) }, "p".repeat(100)],
    ["a key is taken out", {}, { "x-postern-project": "sk-abcdefghijklmnop" }, "sk-[redacted]"],
    ["signs that hide others go", env("Working directory: /a/b\u202ec\u0007"), {}, "bc"],
    ["a repository of Codex's", {}, turn({ "/home/me/one": {}, "/home/me/two": {} }), "one"],
    ["with a name in JSON's words", {}, { "x-codex-turn-metadata": '{"workspaces":{"/a/\\u6771\\u4eac":{}}}' }, "東京"],
    ["no repository", {}, turn({}), null],
    ["a path of Windows", env("Primary working directory: C:\\Users\\me\\Shop App"), {}, "Shop App"],
    ["a drive", env("Working directory: C:\\"), {}, null],
    ["the root", env("Working directory: /"), {}, null],
    ["a slash at the end", env("Working directory: /srv/shop/"), {}, "shop"],
    ["a worktree", env("Primary working directory: /home/me/shop/.claude/worktrees/fix-login"), {}, "shop"],
    ["no path", env("Working directory: unknown"), {}, null],
    ["a home before", env("Home Directory: /home/me\nCurrent Workspace Directory: /home/me/shop"), {}, "shop"],
    ["a home alone", env("Home Directory: /home/me"), {}, null],
    [
      "a tag of pi's, over several lines",
      { messages: [user("<env>\n<cwd>\n  /x/pi-project\n</cwd>")] },
      {},
      "pi-project",
    ],
    [
      "Gemini CLI",
      { contents: [{ role: "user", parts: [{ text: "- **Workspace Directories:**\n  - /x/shop\n- **Directory" }] }] },
      {},
      "shop",
    ],
    ["an instruction of Google's", { systemInstruction: { parts: [{ text: "Working directory: /x/y" }] } }, {}, "y"],
    ["a tag without a path", { messages: [user("<cwd>\n</cwd>\n/x/y")] }, {}, null],
    ["a tag", { input: [user("<environment_context>\n<cwd>/x/y</cwd>")] }, {}, "y"],
    ["Anthropic's prompt", { system: [{ type: "text", text: "Working directory: /x/y" }], messages: hi }, {}, "y"],
    ["instructions", { instructions: "Working directory: /x/y", input: "hi" }, {}, "y"],
    [
      "not behind a response",
      chat([user("hi"), { role: "assistant", content: "Working directory: /x/y" }, user("Working directory: /x/z")]),
      {},
      null,
    ],
    ["not deep in a text", chat([user(`${"a".repeat(60_000)} Working directory: /x/y`)]), {}, null],
    ["nothing", {}, {}, null],
  ])("%s", (_, body, headers, project) => {
    expect(getIdentity(headers, body).project).toBe(project);
  });
});

/** Codex names an agent by a path of its own making, from the first agent on. */
const turnOf = (...agents: string[]): Headers => ({ "x-codex-turn-metadata": `{"agent_name":"/${agents.join("/")}"}` });
const child = { "session-id": "s", "thread-id": "t2", "x-codex-parent-thread-id": "s" };

describe("the agent", () => {
  test.each<[string, Headers, string | null]>([
    ["ours goes first", { "x-claude-code-agent-id": "a1", "x-postern-agent": "reviewer" }, "reviewer"],
    ["Claude Code's", { "x-claude-code-agent-id": "a1" }, "a1"],
    ["Codex's own", { "session-id": "s", "thread-id": "s", ...turnOf("root") }, null],
    ["Codex's by name", { ...child, ...turnOf("root", "check_readme") }, "check_readme"],
    ["by its thread", { ...child, "x-openai-subagent": "collab_spawn" }, "t2"],
    ["by what it is for", { ...child, "x-openai-subagent": "review" }, "review"],
    ["compaction is the agent's own", { "session-id": "s", "thread-id": "s", "x-openai-subagent": "compact" }, null],
    ["opencode's", { "x-session-id": "ses_2", "x-parent-session-id": "ses_1" }, "ses_2"],
    ["opencode's own", { "x-session-id": "ses_1" }, null],
  ])("%s", (_, headers, agent) => {
    expect(getIdentity(headers, {}).agent).toBe(agent);
  });
});

test("an anonymous client has no identity, and no object is made for it", () => {
  expect(getIdentity({ "user-agent": "curl/8" }, chat(hi))).toBe(NOBODY);
  expect(getIdentity({}, null)).toBe(NOBODY);
  expect(identityFrom({})).toBe(NOBODY);
  expect(selectSentFields(NOBODY)).toEqual({});
});

test("any body and any headers are read, and what is read is bounded, printable and read back", () => {
  const value = fc.oneof(fc.string({ unit: "binary", maxLength: 400 }), fc.jsonValue(), fc.constant(undefined));
  const names = ["x-postern-session", "x-postern-project", "x-postern-agent", "session-id", "x-codex-turn-metadata"];
  const headers = fc.dictionary(fc.constantFrom(...names), fc.string({ unit: "binary", maxLength: 400 }));
  const marked = fc.string({ unit: "binary", maxLength: 300 }).map((path) => `Working directory: /${path}`);
  const body = fc.record({
    system: fc.oneof(value, marked),
    messages: fc.oneof(value, fc.array(fc.record({ role: value, content: fc.oneof(value, marked) }))),
    metadata: value,
    session_id: value,
  });
  fc.assert(
    fc.property(headers, fc.oneof(body, value), (request, any) => {
      const identity = getIdentity(request, any);
      for (const text of Object.values(identity) as (string | null)[]) {
        if (text === null) continue;
        expect(text.trim()).not.toBe("");
        expect(text.length).toBeLessThanOrEqual(300);
        expect(text).not.toMatch(/[\p{Cc}\p{Cf}]/u);
      }
      expect(identityFrom(selectSentFields(identity))).toEqual(identity);
    }),
  );
});

import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { commands } from "../../../main/launch/postern.ts";
import { needs } from "../../support/needs.ts";
import { postern } from "./run.ts";

const hasBash = spawnSync("bash", ["-c", "type compgen"]).status === 0;

/** What bash offers after some words. */
async function complete(...words: readonly string[]): Promise<readonly string[]> {
  const { out } = await postern(["completions", "bash"]);
  const typed = ["postern", ...words].map((word) => `'${word}'`).join(" ");
  const script = `${out}\nCOMP_WORDS=(${typed}); COMP_CWORD=${words.length}; _postern; echo "\${COMPREPLY[@]}"`;
  const { stdout, stderr } = spawnSync("bash", ["-c", script], { encoding: "utf8" });
  expect(stderr).toBe("");
  return stdout.trim().split(" ").filter(Boolean);
}

describe.skipIf(!hasBash)("bash", needs("bash"), () => {
  it("completes first words, second words and options", async () => {
    expect(await complete("ke")).toEqual(["keys"]);
    expect(await complete("keys", "")).toEqual(["create", "list", "change", "revoke"]);
    expect(await complete("keys", "create", "--name", "a", "--li")).toEqual(["--limit-usd"]);
    expect(await complete("backups", "re")).toEqual(["remove"]);
    expect(await complete("usage", "--da")).toEqual(["--data-dir"]);
    expect(await complete("moon", "")).toEqual([]);
  });
});

it.each(["bash", "zsh", "fish"])("%s knows every command", async (shell) => {
  const { code, out } = await postern(["completions", shell]);
  expect(code).toBe(0);
  for (const word of new Set(commands.flatMap(({ name }) => name.split(" ")))) expect(out).toContain(word);
  expect(JSON.parse((await postern(["completions", shell, "--json"])).out)).toEqual({ shell, script: out });
});

it("names the shells that it knows", async () => {
  const { code, error } = await postern(["completions", "tcsh"]);
  expect([code, error]).toEqual([2, '"completions" takes bash, zsh, fish, not "tcsh".']);
});

import { readFile, writeFile } from "node:fs/promises";
import type { SetupFile, SetupPlan } from "../../../gateway/contract/setup-operations.ts";
import { referenceValues } from "../../../gateway/store/setup/reference-values.ts";
import type { Command, CommandContext, CommandValues } from "../command.ts";
import { CommandError, UsageError } from "../command-errors.ts";
import { changesText, clientsText, conflictsText, paragraphs, readsText, resultText } from "../setup-text.ts";

const passphraseFrom = {
  value: "VAR|stdin",
  about: "where the passphrase of its secrets comes from: an environment variable, or standard input",
} as const;

const prune = { value: null, about: "remove what the file does not name, in the sections that it has" } as const;

/** @returns undefined without a passphrase */
async function readPassphrase(context: CommandContext, values: CommandValues): Promise<string | undefined> {
  const from = values.text("passphrase-from");
  if (from === undefined) return undefined;
  const given = from === "stdin" ? (await context.readInput()).replace(/\r?\n$/, "") : context.environment[from];
  if (given) return given;
  const where = from === "stdin" ? "standard input has none" : `there is no environment variable ${from}`;
  throw new UsageError(`--passphrase-from ${from}: ${where}.`);
}

/** Reads the given file, with the values of its `${…}` references. */
async function readSetup(context: CommandContext, values: CommandValues): Promise<SetupFile & { text: string }> {
  const [path, ...others] = [values.id, ...values.more];
  if (path === undefined || path === "" || others.length > 0) throw new UsageError("Name one FILE.");
  let text: string;
  try {
    text = await readFile(context.resolve(path), "utf8");
  } catch (error) {
    throw new CommandError(`${path} cannot be read: ${(error as NodeJS.ErrnoException).code ?? "unknown"}.`, null, {
      cause: error,
    });
  }
  const passphrase = await readPassphrase(context, values);
  return {
    text,
    values: await referenceValues(text, context.environment),
    ...(passphrase !== undefined && { passphrase }),
    ...(values.has("prune") && { prune: true }),
  };
}

function planText({ changes, conflicts, reads, unconnected_clients: clients }: SetupPlan): string {
  const none = changes.length === 0 && conflicts.length === 0 ? "Everything is as the file says." : "";
  return paragraphs(changesText(changes), readsText(reads), conflictsText(conflicts), clientsText(clients), none);
}

export const exportConfig: Command = {
  name: "config export",
  about: "write the whole configuration as YAML; secrets are left out, or encrypted by a passphrase",
  options: {
    out: { value: "FILE", about: "write it there, readable for you alone, instead of to standard output" },
    "passphrase-from": passphraseFrom,
    "no-secrets": { value: null, about: "leave secrets out, as without a passphrase" },
  },
  async run(context, values) {
    const passphrase = await readPassphrase(context, values);
    if (passphrase !== undefined && values.has("no-secrets"))
      throw new UsageError("--no-secrets and --passphrase-from exclude each other.");
    const { text } = await context.control.call("exportSetup", passphrase === undefined ? {} : { passphrase });
    const out = values.text("out");
    if (out === undefined) return { json: { text }, text: text.trimEnd() };
    try {
      await writeFile(context.resolve(out), text, { mode: 0o600 });
    } catch (error) {
      throw new CommandError(`${out} cannot be written: ${(error as NodeJS.ErrnoException).code ?? "unknown"}.`, null, {
        cause: error,
      });
    }
    const secrets = passphrase === undefined ? "Secrets are left out." : "Secrets are encrypted by the passphrase.";
    return { json: { file: context.resolve(out) }, text: `Written to ${out}. ${secrets}` };
  },
};

export const importConfig: Command = {
  name: "config import",
  about: "make the configuration what a file says, whole or not at all; shown before",
  takesMore: "FILE",
  options: {
    yes: { value: null, about: "do it; without this it is only shown" },
    "dry-run": { value: null, about: "only show it, as without --yes" },
    prune,
    "passphrase-from": passphraseFrom,
    "no-test": { value: null, about: "do not ask providers whether they take their new keys" },
    "keep-refused": { value: null, about: "save keys that their provider refuses, too" },
  },
  async run(context, values) {
    const file = await readSetup(context, values);
    const { control } = context;
    const plan = await control.call("previewSetup", file);
    const shown = planText(plan);
    if (plan.conflicts.length > 0) return { json: plan, text: shown, failure: "Nothing was changed." };
    if (plan.changes.length === 0) return { json: { plan, result: null }, text: shown };
    if (!values.has("yes") || values.has("dry-run"))
      return { json: plan, text: `${shown}\n\nNothing is changed yet. Add --yes to do it.` };
    const result = await control.call("applySetup", {
      ...file,
      token: plan.token,
      test_keys: !values.has("no-test"),
      keep_refused: values.has("keep-refused"),
    });
    return {
      json: { plan, result },
      text: paragraphs(changesText(result.changes), conflictsText(result.conflicts), resultText(result)),
    };
  },
};

export const diffConfig: Command = {
  name: "config diff",
  about: "what importing a file would change; exit code 1 where it would change something",
  takesMore: "FILE",
  options: { prune, "passphrase-from": passphraseFrom },
  async run(context, values) {
    const plan = await context.control.call("previewSetup", await readSetup(context, values));
    const count = plan.changes.length + plan.conflicts.length;
    const result = { json: plan, text: planText(plan) };
    return count === 0
      ? result
      : { ...result, failure: `${count} ${count === 1 ? "record differs" : "records differ"}.` };
  },
};

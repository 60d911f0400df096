import { setImmediate as nextTurn } from "node:timers/promises";
import type { Setup, SetupConnection } from "../../contract/setup.ts";
import type { SetupFile, SetupRead } from "../../contract/setup-operations.ts";
import { GatewayError } from "../../core/errors.ts";
import type { FileProblem } from "../../core/setup/parse-file.ts";
import type { ValueProblem } from "../../core/setup/read-file.ts";
import { SECRET, listReferences } from "../../core/setup/references.ts";
import { isRecord } from "../../lib/records.ts";
import { isProviderId, providers } from "../../providers/registry.ts";

/** Loads the modules that read and write YAML and age, on first use. */
async function workshop() {
  const [parse, read, write, age] = await Promise.all([
    import("../../store/imports/documents-apart.ts"),
    import("../../core/setup/read-file.ts"),
    import("../../core/setup/write-file.ts"),
    import("../../lib/age.ts"),
  ]);
  return { ...parse, ...read, ...write, ...age };
}

/** A set-up, with the variables and files that its text names. */
export interface SetupFileRead {
  readonly setup: Setup;
  readonly reads: readonly SetupRead[];
}

/** @throws GatewayError invalid_value with the problem and its line */
export async function readSetupFile({
  text,
  passphrase,
  values = {},
}: Omit<SetupFile, "prune">): Promise<SetupFileRead> {
  const { findLinesApart, parseFileApart, resolveFile, checkFile } = await workshop();
  const parsed = await parseFileApart(text);
  if (!("tree" in parsed)) throw broken(parsed);
  const secrets = passphrase === undefined ? null : await openFile(parsed.secrets, passphrase);
  await nextTurn();
  const resolved = resolveFile(parsed, values, secrets);
  await nextTurn();
  const setup = "setup" in resolved ? checkFile(resolved) : resolved;
  await nextTurn();
  if (Array.isArray(setup)) {
    const problems = setup as readonly ValueProblem[];
    const lines = await findLinesApart(
      text,
      problems.map(({ path }) => path),
    );
    throw broken(problems.map(({ message }, index) => ({ line: lines[index] ?? null, message })));
  }
  const { connections = [] } = setup as Setup;
  const reads = listReferences(parsed.tree)
    .filter(({ name }) => !name.startsWith(SECRET))
    .map(({ name, section, index }): SetupRead => {
      const connection = section === "connections" ? connections[index] : undefined;
      return { name, goes_to: connection === undefined ? section : findAddress(connection) };
    });
  return { setup: setup as Setup, reads };
}

/** The address to which a connection sends its keys. */
export function findAddress({ base_url: address, provider, name }: SetupConnection): string {
  return address ?? (isProviderId(provider) ? providers[provider].defaultBaseUrl : null) ?? `connection "${name}"`;
}

async function openFile(encrypted: string | null, passphrase: string): Promise<Readonly<Record<string, string>>> {
  if (encrypted === null) return {};
  const { decryptText, parseFileApart } = await workshop();
  const text = await decryptText(encrypted, passphrase);
  if (text === null)
    throw new GatewayError("invalid_value", "The passphrase does not open the file's 'secrets'.", {
      param: "passphrase",
    });
  const parsed = await parseFileApart(text);
  const entries = "tree" in parsed ? Object.entries(parsed.tree) : [];
  if (!("tree" in parsed) || !entries.every(([, value]) => typeof value === "string"))
    throw new GatewayError("invalid_value", "The file's 'secrets' must be YAML, a text for each name.");
  return Object.fromEntries(entries) as Record<string, string>;
}

function broken(problems: readonly FileProblem[]): GatewayError {
  const messages = problems.map(({ line, message }) => (line === null ? message : `Line ${line}: ${message}`));
  return new GatewayError("invalid_value", messages.join("\n"), { param: "text" });
}

/**
 * Writes a set-up as a file. The same set-up gives the same text, except for encrypted values.
 * @param passphrase null: its secrets are left out
 * @param schemaUrl URL of the schema for editors
 */
export async function writeSetupFile(setup: Setup, passphrase: string | null, schemaUrl: string): Promise<string> {
  const { splitSecrets: separated, withoutSecrets, secretsText, writeFile, encryptText } = await workshop();
  const { sections, secrets } = passphrase === null ? withoutSecrets(setup) : separated(setup);
  const head = [
    `yaml-language-server: $schema=${schemaUrl}`,
    passphrase === null
      ? "Without secrets: where this is imported, keys of providers stay as they are. Give them as ${VARIABLE} or ${file:/path}."
      : "Provider keys are encrypted at the end; the passphrase opens them.",
  ];
  const hasSecrets = passphrase !== null && isRecord(secrets) && Object.keys(secrets).length > 0;
  return writeFile(sections, head, hasSecrets ? await encryptText(secretsText(secrets), passphrase) : null);
}

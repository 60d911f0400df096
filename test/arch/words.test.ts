import { describe, expect, it } from "vitest";
import { filesBelow, readSource } from "./source-tree.ts";

/** Words that docs/glossary.md rules out, where they can be distinguished from other uses of the same word. */

interface RuledOut {
  readonly say: string;
  readonly not: RegExp;
  /** Files that must say it: what is read from outside, or reports the word itself. */
  readonly but?: RegExp;
}

/** In everything that is written: code, documents, pages. */
const EVERYWHERE: readonly RuledOut[] = [
  {
    say: "provider",
    // The contract's two error codes, the field of the Standard Schema and that of VS Code are not ours to name.
    not: /vendor(?!_auth\b|_out_of_credit\b|: "(?:postern|customendpoint)")/gi,
    but: /^CHANGELOG\.|^docs\/(?:glossary|contract|licenses\/.*)\.|upgrade-|^main\/(?:launch\/commands\/connections|policy\/deep-link)\.|^test\/main\//,
  },
];

/** Names of things in code. */
const NAMES: readonly RuledOut[] = [
  { say: "ProviderClient, WebhookSender", not: /\b(?:\w+)?Doors?\b/g },
  { say: "SpendingLimit", not: /\b\w*[pP]urses?\b/g },
  { say: "Limiter, queue", not: /\b\w*Lanes\b/g },
  { say: "KeyedMutex", not: /\bTurns\b(?! texts)/g },
  { say: "Scheduler", not: /\b[aA]gendas?\b/g },
  {
    say: "TaskRepository, TaskArchiver",
    but: /^gateway\/sandbox\//,
    not: /\b(?:Task(?:Book|Shelf)|WebhookBook|EventShelf)\b/g,
  },
  { say: "control", not: /\b(?:Owners|Mcp)Desk\b/g },
  { say: "maintenance", not: /\b\w*[uU]pkeep\w*/g },
  { say: "running instance", not: /alreadyRunningNeighbour|\/neighbour\.ts/g },
  {
    say: "response",
    not: /\b\w*[a-z]Answers?\b|\b[aA]nswer(?!ed|ing)[A-Z]\w*/g,
    but: /^gateway\/contract\/requests\.|recorded-|request-panel|recordings/,
  },
  { say: "RequestTranslator, StreamTransform", not: /\b\w*(?:Speaker|Passage)s?\b/g },
  { say: "RecordingBuffer", not: /\b\w*Tape\b/g },
  { say: "timeouts", not: /\b\w*(?:Patience|PATIENCE)\w*/g },
  { say: "hold", not: /\b\w*Ticket\b/g },
  { say: "control, context", not: /\b\w*Desk\b/g },
  { say: "webhook delivery", not: /\b(?:Due|send|Recent)Callbacks?\b/g },
];

const CODE = [".ts", ".tsx", ".mjs", ".css", ".html"];
const SELF = "test/arch/words.test.ts";
const code = ["gateway", "main", "renderer", "test"]
  .flatMap((folder) => filesBelow(folder, CODE))
  .filter((path) => path !== SELF);
const documents = ["README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md", ...filesBelow("docs", [".md"])];

/** Uses as `path:line: word`, so that a failure tells where to look. */
function uses(paths: readonly string[], { not, but }: RuledOut): string[] {
  return paths
    .filter((path) => but?.test(path) !== true)
    .flatMap((path) => {
      const text = read(path);
      return [...text.matchAll(not)].map(({ 0: word, index }) => {
        return `${path}:${text.slice(0, index).split("\n").length}: ${word}`;
      });
    });
}

const texts = new Map<string, string>();

function read(path: string): string {
  const text = texts.get(path) ?? readIfThere(path);
  texts.set(path, text);
  return text;
}

function readIfThere(path: string): string {
  try {
    return readSource(path);
  } catch {
    return "";
  }
}

describe("words that the glossary rules out", () => {
  it.each(EVERYWHERE)("are not used for what is called $say", (word) => {
    expect(uses([...code, ...documents], word)).toEqual([]);
  });

  it.each(NAMES)("name nothing in the code that is called $say", (word) => {
    expect(uses(code, word)).toEqual([]);
  });

  it("are found where they stand", () => {
    const [provider] = EVERYWHERE;
    expect(
      ["a Vendor", "vendor_auth", "vendor_key"].map((text) => text.match(provider?.not ?? /x/)?.length ?? 0),
    ).toEqual([1, 0, 1]);
  });
});

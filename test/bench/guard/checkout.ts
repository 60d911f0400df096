import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const project = join(import.meta.dirname, "../../..");

/** A built working copy. Where it was made for this run, it goes with its scope. */
export interface Checkout extends Disposable {
  readonly folder: string;
  readonly name: string;
}

const run = (folder: string, program: string, ...argv: string[]): string =>
  execFileSync(program, argv, { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] }).trim();

/** Under this heading the changelog gathers what the next release brings. */
const NEXT = "## Next";

/**
 * @returns The newest release: its tag, or, in a copy without tags, the commit behind which the changelog began its
 *   next section. @throws Error that says what to do.
 */
export function lastRelease(): string {
  const tags = run(project, "git", "tag", "--sort=-creatordate", "--merged");
  if (tags !== "") return tags.split("\n")[0] as string;
  for (const commit of run(project, "git", "log", "--format=%h", `-S${NEXT}`, "--", "CHANGELOG.md").split("\n")) {
    if (commit !== "" && run(project, "git", "show", `${commit}:CHANGELOG.md`).includes(NEXT)) return `${commit}^`;
  }
  throw new Error("There is no release yet. Name a commit or a folder: npm run bench:guard -- COMMIT");
}

/** @param what a folder with a working copy, or anything that git takes for a commit. */
export function checkOut(what: string): Checkout {
  if (existsSync(join(what, "package.json"))) {
    const folder = resolve(what);
    run(folder, "npm", "run", "--silent", "build");
    return { folder, name: run(folder, "git", "describe", "--always", "--dirty"), [Symbol.dispose]: () => undefined };
  }
  const commit = run(project, "git", "rev-parse", "--short", `${what}^{commit}`);
  const folder = join(mkdtempSync(join(tmpdir(), "postern-guard-")), commit);
  run(project, "git", "worktree", "add", "--quiet", "--detach", folder, commit);
  const lock = (of: string): string => readFileSync(join(of, "package-lock.json"), "utf8");
  if (lock(folder) === lock(project)) symlinkSync(join(project, "node_modules"), join(folder, "node_modules"));
  else run(folder, "npm", "ci", "--silent");
  run(folder, "npm", "run", "--silent", "build");
  return {
    folder,
    name: commit,
    [Symbol.dispose]() {
      run(project, "git", "worktree", "remove", "--force", folder);
      rmSync(join(folder, ".."), { recursive: true, force: true });
    },
  };
}

import type { ChildProcess } from "node:child_process";

/**
 * Reads what a program writes first.
 * @returns the first bytes of standard output, as text without blanks around them
 * @throws Error when the program does not start, or ends before it has written anything
 */
export function readFirstOutput(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) => reject(new Error(`ended with ${code ?? signal} before any output`)));
    child.stdout?.once("data", (bytes: Buffer) => resolve(String(bytes).trim()));
  });
}

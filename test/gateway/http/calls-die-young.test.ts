import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { bundled } from "../../run/bundled.ts";

const PROGRAM = await bundled("test/support/old-bytes-program.ts", null, true);
/** Kept on purpose: the last call of each connection, and a few bytes of each in what counts. */
const BYTES = 3_000;

it("leaves next to nothing of a call among the old, in the code as the product has it", async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [PROGRAM], { env: { PATH: process.env["PATH"] } });
  const bytesPerCall = JSON.parse(stdout.trim().split("\n").at(-1) ?? "") as Readonly<Record<string, number>>;
  expect(Object.keys(bytesPerCall)).toHaveLength(3);
  expect(Object.entries(bytesPerCall).filter(([, bytes]) => bytes > BYTES)).toEqual([]);
});

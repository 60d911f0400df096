import { describe, expect, it } from "vitest";
import { mayShowFile } from "../../../main/policy/show-file.ts";

const FOLDER = "/home/ada/.local/share/postern/media/";
const HASH = `ab${"0123456789abcdef".repeat(4).slice(2)}`;
const WINDOWS = "C:\\Users\\Ada\\AppData\\Roaming\\Postern\\media\\";

describe("mayShowFile", () => {
  it.each([
    [`${FOLDER}ab/${HASH}.png`, FOLDER],
    [`${FOLDER}ab/${HASH}.mp4`, FOLDER],
    [`${WINDOWS}ab\\${HASH}.jpg`, WINDOWS],
  ])("allows %s", (path, folder) => {
    expect(mayShowFile(path, folder)).toBe(true);
  });

  it.each([
    ["the folder itself", FOLDER],
    ["the library's log", `${FOLDER}index.ndjson`],
    ["the key of its links", `${FOLDER}links.key`],
    ["what is still coming in", `${FOLDER}incoming/${HASH}`],
    ["another file of the data folder", "/home/ada/.local/share/postern/state.json"],
    ["a folder whose name only begins alike", `/home/ada/.local/share/postern/media-old/ab/${HASH}.png`],
    ["a step upwards", `${FOLDER}../media/ab/${HASH}.png`],
    ["a step upwards behind the name", `${FOLDER}ab/${HASH}.png/../../../state.json`],
    ["a file in the wrong folder", `${FOLDER}cd/${HASH}.png`],
    ["a hash in capitals", `${FOLDER}AB/${HASH.toUpperCase()}.png`],
    ["a hash that is too short", `${FOLDER}ab/${HASH.slice(0, -1)}.png`],
    ["a name without an extension", `${FOLDER}ab/${HASH}`],
    ["a name with two extensions", `${FOLDER}ab/${HASH}.png.lnk`],
    ["a stream of a file", `${FOLDER}ab/${HASH}.png:evil.exe`],
    ["a NUL", `${FOLDER}ab/${HASH}.png\0.exe`],
    ["a line break", `${FOLDER}ab/${HASH}.png\n`],
    ["the separator of another system", `${FOLDER}ab\\${HASH}.png`],
    ["a doubled separator", `${FOLDER}/ab/${HASH}.png`],
    ["a relative path", `media/ab/${HASH}.png`],
    ["an address", `file://${FOLDER}ab/${HASH}.png`],
    ["another server's share", `\\\\server\\share\\ab\\${HASH}.png`],
    ["nothing", ""],
    ["no text", 7],
    ["no text either", { toString: () => `${FOLDER}ab/${HASH}.png` }],
    ["a list", [`${FOLDER}ab/${HASH}.png`]],
    ["null", null],
  ])("denies %s", (_name, path) => {
    expect(mayShowFile(path, FOLDER)).toBe(false);
  });

  it("denies everything where there is no folder", () => {
    expect(mayShowFile(`/ab/${HASH}.png`, "/")).toBe(false);
    expect(mayShowFile(`ab/${HASH}.png`, "")).toBe(false);
  });
});

import { describe, expect, it } from "vitest";
import { mayShowFile } from "../../../main/policy/show-file.ts";

const FOLDER = "/home/ada/.local/share/postern/media/";
const ID = "media_0A1b2C3d4E5f6G7h";
const WINDOWS = "C:\\Users\\Ada\\AppData\\Roaming\\Postern\\media\\";

describe("mayShowFile", () => {
  it.each([
    [`${FOLDER}ab/${ID}.png`, FOLDER],
    [`${FOLDER}ab/${ID}.mp4`, FOLDER],
    [`${WINDOWS}ab\\${ID}.jpg`, WINDOWS],
  ])("allows %s", (path, folder) => {
    expect(mayShowFile(path, folder)).toBe(true);
  });

  it.each([
    ["the folder itself", FOLDER],
    ["the library's own file", `${FOLDER}library.json`],
    ["the key of its links", `${FOLDER}links.key`],
    ["what is still coming in", `${FOLDER}incoming/${ID}`],
    ["another file of the data folder", "/home/ada/.local/share/postern/state.json"],
    ["a folder whose name only begins alike", `/home/ada/.local/share/postern/media-old/ab/${ID}.png`],
    ["a step upwards", `${FOLDER}../media/ab/${ID}.png`],
    ["a step upwards behind the name", `${FOLDER}ab/${ID}.png/../../../state.json`],
    ["a folder in capitals", `${FOLDER}AB/${ID}.png`],
    ["an id that is too short", `${FOLDER}ab/media_.png`],
    ["a name without an extension", `${FOLDER}ab/${ID}`],
    ["a name with two extensions", `${FOLDER}ab/${ID}.png.lnk`],
    ["a stream of a file", `${FOLDER}ab/${ID}.png:evil.exe`],
    ["a NUL", `${FOLDER}ab/${ID}.png\0.exe`],
    ["a line break", `${FOLDER}ab/${ID}.png\n`],
    ["the separator of another system", `${FOLDER}ab\\${ID}.png`],
    ["a doubled separator", `${FOLDER}/ab/${ID}.png`],
    ["a relative path", `media/ab/${ID}.png`],
    ["an address", `file://${FOLDER}ab/${ID}.png`],
    ["another server's share", `\\\\server\\share\\ab\\${ID}.png`],
    ["nothing", ""],
    ["no text", 7],
    ["no text either", { toString: () => `${FOLDER}ab/${ID}.png` }],
    ["a list", [`${FOLDER}ab/${ID}.png`]],
    ["null", null],
  ])("denies %s", (_name, path) => {
    expect(mayShowFile(path, FOLDER)).toBe(false);
  });

  it("denies everything where there is no folder", () => {
    expect(mayShowFile(`/ab/${ID}.png`, "/")).toBe(false);
    expect(mayShowFile(`ab/${ID}.png`, "")).toBe(false);
  });
});

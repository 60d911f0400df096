import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { samplesOf, wavFile } from "../../support/sound.ts";
import { axeFindings, copied, sidewaysScroll } from "./browser.ts";
import { newest, run, usePlaygroundBench } from "./playground-bench.ts";

/** Sounds that become text, on a real Postern whose models are the sandbox's. */
const bench = usePlaygroundBench();

const SOUND = { name: "meeting.wav", mimeType: "audio/wav", buffer: wavFile(samplesOf(10)) };
const HEARD = "Postern's sandbox heard 10.0 seconds of sound";

const choose = (page: Page, file: typeof SOUND = SOUND): Promise<void> =>
  page.getByLabel("File: Recording").setInputFiles(file);

describe("the tab that transcribes", () => {
  it("takes a file, and shows its text, its parts with their times, and subtitles", async () => {
    const page = await bench.open("?kind=transcription&model=whisper-1");
    expect(await run(page).isDisabled()).toBe(true);
    await choose(page);
    await page.getByRole("group", { name: "Recording" }).getByText("meeting.wav").waitFor();
    await run(page).click();
    await newest(page).getByText(HEARD).waitFor();
    const press = (): Promise<void> => newest(page).getByRole("button", { name: "Copy text" }).click();
    expect(await copied(page, press)).toContain(HEARD);

    await page.getByLabel("Format").selectOption("verbose_json");
    await run(page).click();
    const parts = newest(page).getByRole("list", { name: "Parts with their times" }).getByRole("listitem");
    await expect.poll(() => parts.count()).toBe(3);
    expect(await parts.first().textContent()).toContain("0:00.0–0:03.3");

    await page.getByLabel("Format").selectOption("srt");
    await run(page).click();
    await newest(page).getByText("00:00:00,000 --> 00:00:03,333").waitFor();
    await newest(page).getByRole("link", { name: "Request" }).waitFor();
    expect(await axeFindings(page, "main")).toEqual([]);
    expect(await sidewaysScroll(page)).toBe(0);
  });

  it("translates where the model can, and offers only what it has", async () => {
    const page = await bench.open("?kind=transcription&model=whisper-1");
    await choose(page);
    await page.getByLabel("Translate into English").check();
    expect(await page.getByLabel("Language").count()).toBe(0);
    await run(page).click();
    await newest(page).getByText(HEARD).waitFor();
    await bench.pages.go(page, "playground?kind=transcription&model=gpt-4o-transcribe-diarize");
    await expect.poll(() => page.getByLabel("Translate into English").count()).toBe(0);
    expect(await page.getByLabel("Names and terms").count()).toBe(0);
    await page.getByLabel("Format").selectOption("diarized_json");
    await run(page).click();
    await newest(page).getByText("A: ").first().waitFor();
  });

  it("records what is spoken, and says when it may not", async () => {
    const page = await bench.open("?kind=transcription&model=gpt-transcribe");
    await page.context().grantPermissions([]);
    await page.getByRole("button", { name: "Record", exact: true }).click();
    await page.getByText("The microphone may not be used.").waitFor();
    await page.context().grantPermissions(["microphone", "clipboard-read", "clipboard-write"]);
    await page.getByRole("button", { name: "Record", exact: true }).click();
    await page.getByRole("button", { name: /^Stop \(1/ }).waitFor();
    await page.getByRole("button", { name: /^Stop \(/ }).click();
    await page.getByRole("button", { name: "Remove Recording" }).waitFor();
    await run(page).click();
    const text = newest(page).getByText("sandbox heard");
    expect(await text.textContent()).toMatch(/heard [1-9]\d?\.\d seconds of sound/);
  });

  it("refuses what cannot be heard, and copies the call as a program", async () => {
    const page = await bench.open("?kind=transcription&model=whisper-1");
    await choose(page, { name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("no sound") });
    await page.getByText("That is no file with sound.").waitFor();
    await choose(page, { ...SOUND, name: "empty.wav", buffer: Buffer.alloc(0) });
    await run(page).click();
    await newest(page)
      .getByRole("alert")
      .getByText(/^Failed: /)
      .waitFor();
    await choose(page);
    await page.getByRole("button", { name: "Copy as" }).click();
    const command = await copied(page, () => page.getByRole("menuitem", { name: "curl" }).click());
    expect(command).toContain("-F 'file=@meeting.wav'");
  });
});

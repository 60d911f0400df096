import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { axeFindings, copied, sidewaysScroll } from "./browser.ts";
import { chooseModel } from "./model-picking.ts";
import { newest, run, usePlaygroundBench } from "./playground-bench.ts";

/** Pictures, sound, videos and vectors on a real Postern whose models are the sandbox's. */
const bench = usePlaygroundBench();

/** Waits for a picture of the library in the newest answer. */
async function picture(page: Page): Promise<void> {
  await newest(page).locator("img").waitFor();
  expect(await newest(page).locator("img").getAttribute("src")).toMatch(/^\/media\//);
  const shown = page.locator("article img").first();
  await expect.poll(() => shown.evaluate((picture: HTMLImageElement) => picture.naturalWidth)).toBeGreaterThan(0);
}

async function settled(page: Page): Promise<void> {
  await newest(page).getByText("sandbox", { exact: true }).waitFor({ state: "attached" });
  await newest(page)
    .getByText(/^took \d/)
    .waitFor();
  await newest(page).getByRole("link", { name: "Request" }).waitFor();
}

async function makeHeron(page: Page): Promise<void> {
  await page.getByLabel("Prompt", { exact: true }).fill("A heron over the marsh");
  await page.keyboard.press("Control+Enter");
  await picture(page);
}

describe("the tab for images", () => {
  it("says what a picture will cost, makes it and shows it from the library", async () => {
    const page = await bench.open("?kind=image&model=delta-image-1&prompt=A%20heron");
    await expect.poll(() => page.getByLabel("Prompt").inputValue()).toBe("A heron");
    await page.getByLabel("Quality").selectOption("low");
    await page.getByRole("button", { name: "Estimate cost" }).click();
    await page.getByText("At most", { exact: true }).waitFor();
    await page.getByLabel("How many").selectOption("2");
    await page.getByText("At most", { exact: true }).waitFor({ state: "detached" });
    await page.getByLabel("Prompt").press("Control+Enter");
    await expect.poll(() => newest(page).locator("img").count()).toBe(2);
    await settled(page);
    expect(await axeFindings(page, "main")).toEqual([]);
    expect(page.url()).toContain("prompt=A+heron");
  });

  it("fills itself in from a file of the library, with a way back, and takes its picture to be edited", async () => {
    const page = await bench.open("?kind=image&model=delta-image-1");
    await page.getByLabel("Quality").selectOption("low");
    await makeHeron(page);
    const link = (await newest(page).locator("img").getAttribute("src")) ?? "";
    const id = /^\/media\/([^?]+)/.exec(link)?.[1] ?? "";
    await page.getByLabel("Prompt").fill("Other words");
    await page.getByLabel("Quality").selectOption("high");
    await bench.pages.go(page, `playground?vary=${id}`);
    await expect.poll(() => page.getByLabel("Prompt").inputValue()).toBe("A heron over the marsh");
    expect(await page.getByLabel("Quality").inputValue()).toBe("low");
    expect(page.url()).not.toContain("vary");
    await page.getByRole("button", { name: "Undo" }).click();
    await expect.poll(() => page.getByLabel("Prompt").inputValue()).toBe("Other words");
    await bench.pages.go(page, `playground?kind=edit&picture=${id}`);
    await page.getByRole("button", { name: /^Remove / }).waitFor();
    expect(page.url()).not.toContain("picture=");
  });

  it("speaks the shape of other families, and tells a refusal with its code", async () => {
    const page = await bench.open("?kind=image&model=gamma-image-2.0");
    await page.getByLabel("Size").selectOption("1280*720");
    await page.getByLabel("Seed").fill("7");
    await makeHeron(page);
    await page.getByText("3 more fields").click();
    await page.getByLabel("parameters.watermark").selectOption("false");
    await page.getByLabel("Seed").fill("many");
    await run(page).click();
    await page.getByText("Type a number.").waitFor();
    await page.getByLabel("Seed").fill("-5");
    await run(page).click();
    await newest(page)
      .getByRole("alert")
      .getByText(/^Failed: /)
      .waitFor();
    expect(await newest(page).locator("img").count()).toBe(0);
  });
});

describe("the tab that edits", () => {
  it("takes a picture over, paints a mask by pointer and by numbers, and sends both", async () => {
    const page = await bench.open("?kind=image&model=delta-image-1");
    await makeHeron(page);
    await newest(page).getByRole("button", { name: "Edit this" }).first().click();
    await page.getByLabel("What to change").fill("Replace the sky");
    // Not every model takes a mask.
    await chooseModel(page, "Model", "delta-image-1");
    await page.getByRole("img", { name: /painted/ }).waitFor();

    await page.getByText(/^Rectangle by numbers/).click();
    for (const [side, value] of [
      ["Left", "0"],
      ["Top", "0"],
      ["Width", "100"],
      ["Height", "100"],
    ] as const) {
      await page.getByRole("group", { name: "Mask" }).getByRole("textbox", { name: side }).fill(value);
    }
    await page.getByRole("button", { name: "Paint", exact: true }).click();
    const painted = page.getByRole("img", { name: "Mask with 1 step" });
    // Waits until it stands still and nothing lies over it.
    await painted.hover();
    const box = await painted.boundingBox();
    if (box === null) throw new Error("the mask is not drawn");
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.6, box.y + box.height / 2, { steps: 3 });
    await page.mouse.up();
    await page.getByRole("img", { name: "Mask with 2 steps" }).waitFor();
    await page.getByRole("button", { name: "Invert" }).click();
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByRole("img", { name: "Mask with 2 steps" }).waitFor();
    expect(await axeFindings(page, "main")).toEqual([]);

    await page.getByRole("button", { name: "Estimate cost" }).click();
    await page.getByText("At most", { exact: true }).waitFor();
    await page.evaluate(keepForm);
    await run(page).click();
    await picture(page);
    await settled(page);
    expect(await page.evaluate(maskAlpha)).toEqual([0, 255, 0, 255]);
  });

  it("edits a file of this machine as a whole, and one of the library", async () => {
    const page = await bench.open("?kind=edit&model=delta-image-1");
    await page
      .getByLabel("File: Picture")
      .setInputFiles({ name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("no") });
    await page.getByText("That is no PNG, JPEG, WebP or GIF.").waitFor();
    await page.getByRole("button", { name: "From the library" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "A heron over the marsh" }).first().click();
    await page.getByRole("img", { name: "A heron over the marsh" }).first().waitFor();
    await page.getByLabel("What to change").fill("Make it night");
    await page.keyboard.press("Control+Enter");
    await picture(page);
    expect(await page.getByRole("article", { name: "Make it night" }).count()).toBe(1);
  });
});

it("edits with several pictures, the first of which is painted over, and copies them all", async () => {
  const page = await bench.open("?kind=edit&model=delta-image-1");
  const file = Buffer.from(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGD4DwABBAEAX+XDSwAAAABJRU5ErkJggg==",
    "base64",
  );
  const files = ["one.png", "two.png"].map((name) => ({ name, mimeType: "image/png", buffer: file }));
  await page.getByLabel("File: Pictures").setInputFiles(files);
  await page.getByRole("img", { name: "two.png" }).waitFor();
  await page.getByRole("button", { name: "Paint all" }).click();
  await page.getByRole("button", { name: "Remove two.png" }).click();
  await page.getByRole("img", { name: "Mask with 1 step" }).waitFor();
  await page.getByLabel("File: Pictures").setInputFiles(files.slice(1));
  await page.getByLabel("What to change").fill("Put both on a table");
  await page.getByRole("button", { name: "Copy as" }).click();
  const command = await copied(page, () => page.getByRole("menuitem", { name: "curl" }).click());
  expect(command).toContain("image[]=@picture-2.png");
  await page.getByRole("button", { name: "Estimate cost" }).click();
  await page.getByText("At most", { exact: true }).waitFor();
  await page.evaluate(keepForm);
  await run(page).click();
  await picture(page);
  expect(await page.evaluate(() => [...(window.sentForm?.keys() ?? [])])).toEqual([
    "model",
    "prompt",
    "image[]",
    "image[]",
    "mask",
  ]);
});

it("stops a picture that is being made, and shows what its receipt says", async () => {
  const page = await bench.open("?kind=image&model=delta-image-1");
  await page.getByLabel("Prompt").fill("A heron, sandbox:slow=6000");
  await run(page).click();
  await page.getByRole("button", { name: "Stop" }).waitFor();
  // Before the key is there nothing was asked for, and there is nothing to be billed.
  await page.getByText("1 in flight").waitFor();
  await page.keyboard.press("Escape");
  await newest(page).getByText("Stopped. What was delivered until then is billed.").waitFor();
  await run(page).waitFor();
  await newest(page).getByRole("link", { name: "Request" }).waitFor();
  expect(await newest(page).getByRole("link", { name: "Request" }).getAttribute("href")).toMatch(/id=req_/);
});

it("speaks a text and offers the recording", async () => {
  const page = await bench.open("?kind=speech&model=tts-1");
  await page.getByLabel("Text").fill("Your tea is ready.");
  await page.getByText("18 of at most 4,096 characters").waitFor();
  await page.getByLabel("Voice").selectOption("nova");
  await page.getByLabel("Format").selectOption("wav");
  await page.getByRole("button", { name: "Estimate cost" }).click();
  await page.getByText("At most", { exact: true }).waitFor();
  await page.getByLabel("Text").press("Control+Enter");
  await newest(page).locator("audio").waitFor();
  await settled(page);
  await newest(page).getByText("18 characters").waitFor();
  expect(await newest(page).getByRole("link", { name: "Download" }).getAttribute("href")).toMatch(/^\/media\//);
  expect(await axeFindings(page, "main")).toEqual([]);
});

it("orders a video with a first frame, follows its task and shows the film", async () => {
  const page = await bench.open("?kind=video&model=sora-2");
  await page.getByLabel("Prompt").fill("A paper boat");
  await page.getByLabel("Seconds").selectOption("4");
  await page.getByRole("button", { name: "From the library" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "A heron over the marsh" }).first().click();
  await page.getByRole("img", { name: "A heron over the marsh" }).waitFor();
  await page.getByRole("button", { name: "Estimate cost" }).click();
  await page.getByText("At most", { exact: true }).waitFor();
  await page.getByLabel("Prompt").press("Control+Enter");
  await newest(page).getByRole("link", { name: "Show task" }).waitFor();
  await newest(page).locator("video").waitFor({ timeout: 90_000 });
  expect(await newest(page).getByRole("link", { name: "Show task" }).getAttribute("href")).toMatch(
    /^#\/tasks\?task=vt_/,
  );
  expect(await axeFindings(page, "main")).toEqual([]);
});

it("makes vectors and says how close the texts are", async () => {
  const page = await bench.open("?kind=embedding&model=text-embedding-3-small", {
    width: 360,
    height: 740,
    theme: "dark",
  });
  // The tab that is open can be seen.
  const tab = await page.getByRole("tab", { name: "Embeddings" }).boundingBox();
  expect((tab?.x ?? 0) + (tab?.width ?? 0)).toBeLessThanOrEqual(360);
  await page.getByLabel("Texts").fill("A cat sleeps\nA cat sleeps\nRates rose");
  await page.getByLabel("Length of the vectors").fill("256");
  await page.getByLabel("Texts").press("Control+Enter");
  await newest(page).getByText("3 vectors of 256 numbers each.").waitFor();
  const rows = newest(page).getByRole("row");
  expect(await rows.nth(1).getByRole("cell").allTextContents()).toEqual(["1.000", "1.000", expect.any(String)]);
  await settled(page);
  expect(await sidewaysScroll(page)).toBe(0);
  expect(await axeFindings(page, "main")).toEqual([]);
});

/** Keeps the next form that the page sends. */
function keepForm(): void {
  const send = window.fetch;
  window.fetch = (path, init) => {
    if (init?.body instanceof FormData) window.sentForm = init.body;
    return send(path, init);
  };
}

/** How opaque the mask of that form is at some points, and its size. */
async function maskAlpha(): Promise<(number | undefined)[]> {
  const bitmap = await createImageBitmap(window.sentForm?.get("mask") as File);
  const context = document.createElement("canvas").getContext("2d")!;
  context.canvas.width = bitmap.width;
  context.canvas.height = bitmap.height;
  context.drawImage(bitmap, 0, 0);
  const alpha = (x: number, y: number): number | undefined =>
    context.getImageData(Math.floor(x), Math.floor(y), 1, 1).data[3];
  return [alpha(50, 50), alpha(150, 150), alpha(bitmap.width / 2, bitmap.height / 2), alpha(bitmap.width - 1, 0)];
}

import { expect, it } from "vitest";
import { axeFindings, focused, quiet, sidewaysScroll } from "./browser.ts";
import { fakeModel, priceOf, serveModels } from "./fake-models.ts";
import { addModel, chooseModel, modelField } from "./model-picking.ts";
import { useFakePages } from "./page-suite.ts";

const [first, second, third] = ["model-one", "model-two", "model-three"].map((id) => fakeModel({ id }));
if (first === undefined || second === undefined || third === undefined) throw new Error("three models");
const pages = useFakePages((fake) => serveModels(fake, [first, second, third]), "playground");

it("gives up models that are served no more, and says which", async () => {
  const page = await pages.open();
  await chooseModel(page, "Model", "model-two");
  await addModel(page, "model-three");
  await modelField(page, "Model 2").getByText("model-three").waitFor();
  await pages.fake.followed();
  serveModels(pages.fake, [first, { ...second, served: false }]);
  pages.fake.emit({ type: "models.changed" });
  await page.getByText("model-two is not served any more.").waitFor();
  await page.getByText("model-three is not served any more.").waitFor();
  await modelField(page).getByText("model-one").waitFor();
  expect(await modelField(page, "Model 2").count()).toBe(0);
  await modelField(page).click();
  await expect.poll(() => page.getByRole("option").allTextContents()).toEqual([expect.stringContaining("model-one")]);
  await page.keyboard.press("Enter");
});

it("does not take a model from an address if it is not served", async () => {
  const page = await pages.open("playground?kind=chat&model=model-of-yesterday");
  await page.getByText("model-of-yesterday is not served any more.").waitFor();
  await quiet(page);
  expect(await modelField(page).textContent()).toContain("model-one");
});

it("finds one of six hundred models by keys alone, and remembers which were chosen", async () => {
  const price = priceOf({ input: 2_500_000_000, output: 15_000_000_000 });
  const many = Array.from({ length: 600 }, (_, index) =>
    fakeModel({ id: `model-${index}`, name: `Model number ${index}`, group: `Provider ${index % 7}`, price }),
  );
  serveModels(pages.fake, many);
  const page = await pages.open("playground?kind=chat&model=model-0");
  const field = modelField(page);
  await field.focus();
  await page.keyboard.press("Enter");
  await focused(page.getByLabel("Search models"));
  const option = page.getByRole("option");
  expect(await option.count()).toBeLessThan(60);
  expect(await option.first().getAttribute("aria-setsize")).toBe("600");
  await option.first().getByText("400k context").waitFor();
  await option.first().getByText("$2.50 / $15.00").waitFor();
  expect(await axeFindings(page, "body")).toEqual([]);

  // The last one is far out of what is drawn.
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.type("number 59 provider");
  await page.getByRole("option").filter({ hasText: "model-597" }).first().waitFor();
  await page.getByLabel("Search models").fill("model-333");
  await page.getByText("Provider 4", { exact: true }).waitFor();
  await page.keyboard.press("Enter");
  await field.getByText("model-333").waitFor();
  await focused(field);
  await field.click();
  await page.getByText("Recent", { exact: true }).waitFor();
  await page.getByLabel("Search models").fill("no such model");
  await page.getByText("No model matches").waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("listbox").waitFor({ state: "detached" });
});

it("goes through all models with arrows", async () => {
  serveModels(
    pages.fake,
    Array.from({ length: 80 }, (_, index) => fakeModel({ id: `model-${index}` })),
  );
  const page = await pages.open("playground?kind=chat&model=model-0", { width: 360, height: 640, theme: "dark" });
  const field = modelField(page);
  await field.focus();
  await page.keyboard.press("ArrowDown");
  await focused(page.getByLabel("Search models"));
  for (let step = 0; step < 40; step += 1) await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect.poll(() => field.textContent()).toContain("model-39");
  expect(await sidewaysScroll(page)).toBe(0);
});

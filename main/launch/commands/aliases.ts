import type { Command } from "../command.ts";

export const setAlias: Command = {
  name: "alias set",
  about: "let a name of your own stand for a model; a name that stands for another one moves",
  takesId: true,
  options: { model: { value: "MODEL", about: "the id of the model", required: true } },
  async run({ control }, values) {
    const model = await control.call("setAlias", { name: values.id, model: values.text("model") ?? "" });
    const away = model.served ? "" : " No enabled connection serves it now.";
    return { json: model, text: `${values.id} stands for ${model.id}.${away}` };
  },
};

export const removeAlias: Command = {
  name: "alias remove",
  about: "take a name of your own away again",
  takesId: true,
  options: {},
  async run({ control }, values) {
    const response = await control.call("removeAlias", { name: values.id });
    return { json: response, text: `${values.id} is no longer an alias.` };
  },
};

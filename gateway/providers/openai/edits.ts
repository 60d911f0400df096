import { edits as common } from "../openai-compatible/edits.ts";
import type { EditsAdapter } from "../edits.ts";

/**
 * OpenAI's own edits (docs/providers/openai.md#image-edits): only dall-e takes `response_format`, and a model that is
 * too new for the catalog is a gpt-image.
 */
export const edits: EditsAdapter = {
  ...common,
  encode: (call) => {
    const { response_format: _refused, ...fields } = call.fields;
    return common.encode(call.upstreamModel.startsWith("dall-e") ? call : { ...call, fields });
  },
};

import * as z from "zod";
import {
  controlOperations,
  type ControlInput,
  type ControlName,
  type ControlOutput,
} from "../../gateway/contract/control.ts";
import type { ControlOperation } from "../../gateway/contract/control-operation.ts";
import type { Command, CommandContext, CommandOption, CommandResult, CommandValues } from "./command.ts";
import { printFacts, printTable } from "./table.ts";
import { choiceOption, given, integerOption, listOption, numberOption } from "./values.ts";

/** Commands that are one operation of the control API: their options and checks follow from its schema. */

/** A field of the operation's input as an option. A switch has no name for its value. */
interface MirrorOption {
  readonly value?: string;
  readonly about: string;
  /** Name of the option; by default the field's with hyphens. */
  readonly name?: string;
  /** Name of the option in earlier versions. */
  readonly earlier?: string;
  /** Reads values that the schema cannot express. */
  readonly read?: (values: CommandValues, name: string) => unknown;
}

/** The context of a mirrored command when it prints. */
export interface MirrorCall {
  readonly id: string;
  readonly values: CommandValues;
  readonly control: CommandContext["control"];
  readonly resolve: CommandContext["resolve"];
}

type Printed = string | Partial<CommandResult>;

interface Mirror<N extends ControlName> {
  /** Field for the ID, if the path has none. */
  readonly id?: keyof ControlInput<N> & string;
  readonly options?: Readonly<Partial<Record<keyof ControlInput<N> & string, MirrorOption | string>>>;
  /** Input besides the options, which override it. */
  readonly input?: ControlInput<N> | ((call: MirrorCall) => ControlInput<N>);
  /** Formats the text output; the JSON output is the response unless overridden. */
  readonly print?: (output: ControlOutput<N>, call: MirrorCall) => Printed | Promise<Printed>;
}

/** Makes a command of an operation. */
export function mirror<N extends ControlName>(
  name: string,
  operationName: N,
  about: string,
  { id: idField, options, input, print }: Mirror<N> = {},
): Command {
  const operation: ControlOperation = controlOperations[operationName];
  const fields = Object.entries<MirrorOption | string>({ ...options }).map(
    ([field, option]) => [field, typeof option === "string" ? { about: option } : option] as const,
  );
  const takesId = idField?.toUpperCase() ?? (operation.path.includes(":id") ? "ID" : undefined);
  return {
    name,
    about,
    ...given({ takesId }),
    // Schemas take time to make: only those of the command that runs are.
    get options() {
      return Object.fromEntries(fields.map(([field, option]) => createOption(field, option, operation)));
    },
    async run({ control, resolve }, values) {
      const call: MirrorCall = { id: values.id, values, control, resolve };
      const read = fields.map(([field, option]) => [field, readField(field, option, operation, values)]);
      const body = {
        ...(typeof input === "function" ? input(call) : input),
        ...given(Object.fromEntries(read) as Record<string, unknown>),
        ...(idField !== undefined && { [idField]: values.id }),
      } as ControlInput<N>;
      const output = await control.call(operationName, body, idField === undefined ? values.id : "");
      const printed =
        print === undefined ? printOutput(output, `${name} ${values.id}`.trim()) : await print(output, call);
      return { json: output, text: "", ...(typeof printed === "string" ? { text: printed } : printed) };
    },
  };
}

const nameOption = (field: string, { name }: MirrorOption): string => name ?? field.replaceAll("_", "-");

function findSchema(field: string, operation: ControlOperation): z.ZodType {
  const { shape } = operation.input as z.ZodObject;
  return (shape[field] ?? z.unknown()) as z.ZodType;
}

function createOption(field: string, option: MirrorOption, operation: ControlOperation): [string, CommandOption] {
  const { value = null, about, earlier } = option;
  const isRequired = value !== null && !findSchema(field, operation).safeParse(undefined).success;
  return [nameOption(field, option), { value, about, ...(isRequired && { required: true }), ...given({ earlier }) }];
}

function readField(field: string, option: MirrorOption, operation: ControlOperation, values: CommandValues): unknown {
  const name = nameOption(field, option);
  if (option.read !== undefined) return option.read(values, name);
  if (option.value === undefined) return values.has(name) ? true : undefined;
  const schema = unwrap(findSchema(field, operation));
  if (schema instanceof z.ZodEnum) return choiceOption(values, name, schema.options.map(String));
  if (schema instanceof z.ZodArray) return listOption(values, name);
  if (!(schema instanceof z.ZodNumber)) return values.text(name);
  return schema.isInt ? integerOption(values, name) : numberOption(values, name);
}

function unwrap(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault) {
    return unwrap(schema.unwrap() as z.ZodType);
  }
  return schema;
}

/** Any response as a table of its records, or as its facts. */
function printOutput(output: object, words: string): string {
  if ("ok" in output && output.ok === true) return `Done: ${words}.`;
  if (!("data" in output && Array.isArray(output.data))) return printFacts(output);
  const rows = output.data as readonly Readonly<Record<string, unknown>>[];
  return printTable(rows, Object.fromEntries(Object.keys(rows[0] ?? {}).map((name) => [name, name])));
}

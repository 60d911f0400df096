import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { getSetting, type SettingName, type Settings } from "../../../gateway/contract/settings.ts";
import { ControlError } from "../../api/client.ts";
import { useGateway } from "../../api/gateway.tsx";
import { queryNames } from "../../api/query-names.ts";
import { useNotify, useSentence } from "../../components/ui/toasts.tsx";
import { useMessages } from "../../lib/i18n.tsx";

export interface SettingEdit<Name extends SettingName> {
  /** The gateway's sentence about a value that it refused. */
  readonly error: string | undefined;
  /** Applies to the page immediately, and can be undone for ten seconds. Resolves `true` once saved. */
  save(value: Settings[Name]): Promise<boolean>;
  clear(): void;
}

/** @param label how the setting is called in the message with the undo */
export function useSetting<Name extends SettingName>(name: Name, label: string): SettingEdit<Name> {
  const t = useMessages();
  const cache = useQueryClient();
  const notify = useNotify();
  const sentenceOf = useSentence();
  const { client } = useGateway();
  const [error, setError] = useState<string>();
  const queryKey = [queryNames.settings];

  const write = async (value: Settings[Name]): Promise<Settings[Name] | undefined> => {
    await cache.cancelQueries({ queryKey });
    const before = cache.getQueryData<Settings>(queryKey);
    cache.setQueryData<Settings>(queryKey, (settings) => settings && { ...settings, [name]: value });
    try {
      cache.setQueryData(queryKey, await client.call("updateSettings", { [name]: value }));
      if (getSetting(name).atRestart === true) await cache.invalidateQueries({ queryKey: [queryNames.address] });
      return before?.[name];
    } catch (failure) {
      cache.setQueryData(queryKey, before);
      throw failure;
    }
  };

  return {
    error,
    clear: () => setError(undefined),
    async save(value) {
      setError(undefined);
      try {
        const before = await write(value);
        if (before === undefined) notify.confirm(t.settings.changed(label));
        else notify.undoable(t.settings.changed(label), () => void write(before).catch(notify.showError));
        return true;
      } catch (failure) {
        if (failure instanceof ControlError && failure.param?.split(/[.[]/)[0] === name) setError(sentenceOf(failure));
        else notify.showError(failure);
        return false;
      }
    },
  };
}

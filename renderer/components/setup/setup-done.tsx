import type { ReactNode } from "react";
import type { SetupResult } from "../../../gateway/contract/setup-operations.ts";
import { SetupWarnings } from "./setup-warnings.tsx";
import { useTestSentence } from "../test-sentence.ts";
import { Badge } from "../ui/badge.tsx";
import { Button } from "../ui/button.tsx";
import { CopyButton } from "../ui/copy.tsx";
import { ModalFooter } from "../ui/dialog.tsx";
import { Section } from "../ui/section.tsx";
import { useMessages } from "../../lib/i18n.tsx";
import { routeHash } from "../../lib/router.ts";

/** Result of a set-up: the test of each provider key, and the local keys that were created. */
export function SetupDone({
  result,
  onClose,
}: {
  readonly result: SetupResult;
  readonly onClose: () => void;
}): ReactNode {
  const t = useMessages();
  const sentenceOf = useTestSentence();
  const { changes, tests, created_keys: created } = result;
  return (
    <>
      <div className="flex flex-col gap-4 px-4 pt-3">
        <output className="block font-medium">{t.import.done(changes.length)}</output>
        <SetupWarnings conflicts={result.conflicts} />
        {tests.length > 0 && (
          <Section title={t.import.tests}>
            <ul className="flex flex-col divide-y divide-line rounded-md border border-line">
              {tests.map((test) => (
                <li key={`${test.connection} ${test.hint}`} className="flex flex-wrap items-center gap-x-2 px-3 py-2">
                  <span className="font-medium wrap-anywhere">{test.connection}</span>
                  <code className="font-mono text-meta text-muted">{test.hint}</code>
                  <Badge tone={test.ok ? "success" : test.taken ? "warning" : "danger"}>
                    {test.ok ? t.import.keyWorks : test.taken ? t.import.keyTaken : t.import.keyLeft}
                  </Badge>
                  {!test.ok && <span className="basis-full text-meta wrap-anywhere">{sentenceOf(test)}</span>}
                </li>
              ))}
            </ul>
          </Section>
        )}
        {created.length > 0 && (
          <Section title={t.import.created}>
            <p className="mb-1.5 text-meta text-muted">{t.import.createdHelp}</p>
            {created.map(({ name, secret }) => (
              <p key={name} className="flex flex-wrap items-center gap-2">
                <span className="font-medium">{name}</span>
                <code className="min-w-0 grow font-mono select-all wrap-anywhere" data-secret>
                  {secret}
                </code>
                <CopyButton text={secret} label={t.keys.copyKey} />
              </p>
            ))}
          </Section>
        )}
        <p className="flex flex-wrap gap-x-3">
          <a href={routeHash("connections")}>{t.pages.providers}</a>
          <a href={routeHash("routes")}>{t.pages.routes}</a>
          <a href={routeHash("keys")}>{t.pages.keys}</a>
          <a href={routeHash("clients")}>{t.pages.apps}</a>
        </p>
      </div>
      <ModalFooter>
        <Button look="primary" onClick={onClose}>
          {t.app.close}
        </Button>
      </ModalFooter>
    </>
  );
}

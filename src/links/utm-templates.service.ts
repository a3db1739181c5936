import { appendAudit } from "#audit/audit.service.ts";
import { UTM_TEMPLATES_MAX, type UtmTemplate } from "#contract/console/utm-templates.ts";
import type { Records } from "#engines/records/records.ts";
import { bodyProblem, notFound, validationFailed } from "#kernel/api-error.ts";
import type { Clock } from "#kernel/clock.ts";
import { newId } from "#kernel/ids.ts";
import { countOtherTemplates, deleteTemplate, listTemplates, putTemplate } from "./utm-templates.store.ts";

interface Deps {
  readonly records: Records;
  readonly clock: Clock;
}

interface Owner {
  readonly accountNo: number;
}

interface Person extends Owner {
  readonly actor: string;
}

/** UTM parameters by name, so that a team spells a campaign the same everywhere. */
export function utmTemplateService({ records, clock }: Deps) {
  return {
    /** Unless there is one of the same name. */
    async add(person: Person, { name, utm }: Omit<UtmTemplate, "id">): Promise<void> {
      const existing = await listTemplates(records.read, person.accountNo);
      if (!existing.some((template) => template.name === name)) await this.save(person, { name, utm });
    },

    async list({ accountNo }: Owner): Promise<UtmTemplate[]> {
      const rows = await listTemplates(records.read, accountNo);
      return rows.map(({ utm, ...row }) => ({ ...row, utm: JSON.parse(utm) as UtmTemplate["utm"] }));
    },

    /** Replaces the one of the same name. */
    save({ accountNo, actor }: Person, { name, utm }: Omit<UtmTemplate, "id">): Promise<UtmTemplate> {
      if (Object.keys(utm).length === 0) {
        throw validationFailed([bodyProblem("utm", "required", "Set at least one UTM parameter.")]);
      }
      return records.write(async (tx) => {
        if ((await countOtherTemplates(tx, accountNo, name)) >= UTM_TEMPLATES_MAX) {
          const message = `An account can have ${UTM_TEMPLATES_MAX} UTM templates. Delete one first.`;
          throw validationFailed([bodyProblem("name", "out_of_range", message)]);
        }
        const row = { id: newId("utm"), account_no: accountNo, name, utm: JSON.stringify(utm) };
        const id = await putTemplate(tx, row);
        const entry = { at: clock(), accountNo, actor, action: "account.utm_template_saved", subject: id };
        await appendAudit(tx, { ...entry, details: { name } });
        return { id, name, utm };
      });
    },

    async delete({ accountNo, actor }: Person, id: string): Promise<void> {
      await records.write(async (tx) => {
        const name = await deleteTemplate(tx, accountNo, id);
        if (name === null) throw notFound();
        const entry = { at: clock(), accountNo, actor, action: "account.utm_template_deleted", subject: id };
        await appendAudit(tx, { ...entry, details: { name } });
      });
    },
  };
}
export type UtmTemplateService = ReturnType<typeof utmTemplateService>;

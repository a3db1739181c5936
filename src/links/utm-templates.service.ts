import { UTM_TEMPLATES_MAX, type UtmTemplate } from "#contract/console/utm-templates.ts";
import type { Records } from "#engines/records/records.ts";
import { bodyProblem, notFound, validationFailed } from "#kernel/api-error.ts";
import { newId } from "#kernel/ids.ts";
import { countOtherTemplates, deleteTemplate, listTemplates, putTemplate } from "./utm-templates.store.ts";

interface Owner {
  readonly accountNo: number;
}

/** UTM parameters by name, so that a team spells a campaign the same everywhere. */
export function utmTemplateService({ records }: { readonly records: Records }) {
  return {
    async list({ accountNo }: Owner): Promise<UtmTemplate[]> {
      const rows = await listTemplates(records.read, accountNo);
      return rows.map(({ utm, ...row }) => ({ ...row, utm: JSON.parse(utm) as UtmTemplate["utm"] }));
    },

    /** Replaces the one of the same name. */
    save({ accountNo }: Owner, { name, utm }: Omit<UtmTemplate, "id">): Promise<UtmTemplate> {
      if (Object.keys(utm).length === 0) {
        throw validationFailed([bodyProblem("utm", "required", "Set at least one UTM parameter.")]);
      }
      return records.write(async (tx) => {
        if ((await countOtherTemplates(tx, accountNo, name)) >= UTM_TEMPLATES_MAX) {
          const message = `An account can have ${UTM_TEMPLATES_MAX} UTM templates. Delete one first.`;
          throw validationFailed([bodyProblem("name", "out_of_range", message)]);
        }
        const row = { id: newId("utm"), account_no: accountNo, name, utm: JSON.stringify(utm) };
        return { id: await putTemplate(tx, row), name, utm };
      });
    },

    async delete({ accountNo }: Owner, id: string): Promise<void> {
      if (!(await records.write((tx) => deleteTemplate(tx, accountNo, id)))) throw notFound();
    },
  };
}
export type UtmTemplateService = ReturnType<typeof utmTemplateService>;

import { z } from "zod";
import { label } from "../fields.ts";
import { UtmSet } from "../link-record.ts";
import { consoleEndpoint } from "./endpoint.ts";
import { everydayWork, reading } from "./sudo.ts";

export const UTM_TEMPLATES_MAX = 50;
export const UTM_TEMPLATE_NAME_MAX = 50;

const UtmTemplate = z.object({ id: z.string(), name: z.string(), utm: UtmSet });
export type UtmTemplate = z.output<typeof UtmTemplate>;

export const listUtmTemplates = consoleEndpoint({
  id: "console.utm_templates.list",
  method: "GET",
  path: "/console/api/utm-templates",
  summary: "List the account's UTM templates by name",
  sudo: reading,
  role: "viewer",
  status: 200,
  response: z.object({ data: z.array(UtmTemplate) }),
});

export const saveUtmTemplate = consoleEndpoint({
  id: "console.utm_templates.save",
  method: "POST",
  path: "/console/api/utm-templates",
  summary: "Save a UTM template; one of the same name is replaced",
  sudo: everydayWork,
  role: "member",
  body: z.strictObject({ name: label(UTM_TEMPLATE_NAME_MAX), utm: UtmSet }),
  status: 200,
  response: UtmTemplate,
});

export const deleteUtmTemplate = consoleEndpoint({
  id: "console.utm_templates.delete",
  method: "DELETE",
  path: "/console/api/utm-templates/{id}",
  summary: "Delete a UTM template; links made with it keep their parameters",
  sudo: everydayWork,
  role: "member",
  params: z.strictObject({ id: z.string().max(255) }),
  status: 204,
});

import { deleteUtmTemplate, listUtmTemplates, saveUtmTemplate } from "#contract/console/utm-templates.ts";
import { type Route, route } from "#http/route.ts";
import type { UtmTemplateService } from "#links/utm-templates.service.ts";
import type { ConsoleCaller } from "./console-caller.ts";

type Me = ConsoleCaller;

export const utmTemplateRoutes = (templates: UtmTemplateService): readonly Route<Me>[] => [
  route(listUtmTemplates, async (me: Me) => ({ data: await templates.list(me) })),
  route(saveUtmTemplate, (me: Me, { body }) => templates.save(me, body)),
  route(deleteUtmTemplate, async (me: Me, { params }) => {
    await templates.delete(me, params.id);
    return undefined;
  }),
];

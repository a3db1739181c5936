import { getLinkQr } from "#contract/qr.ts";
import { type Route, route } from "#http/route.ts";
import type { QrService } from "./qr.service.ts";

export const qrRoutes = (qr: QrService): readonly Route[] => [
  route(getLinkQr, (caller, { params, query }) => qr.get(caller, params.id, query)),
];

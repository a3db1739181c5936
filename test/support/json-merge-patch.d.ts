declare module "json-merge-patch" {
  export function apply(target: object, patch: object): Record<string, unknown>;
}

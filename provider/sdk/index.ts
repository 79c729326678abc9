// Made from provider/schema.json by tools/generate-sdk.ts. Do not edit.
export * as array from "./array";
export * as bench from "./bench";
export * as fabric from "./fabric";
export * as guest from "./guest";
export * as host from "./host";
export { Provider, type ProviderArgs } from "./provider";
export { packageVersion } from "./version";

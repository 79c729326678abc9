/** Version of this package: of the plugin, and written into every run. A test compares it with package.json. */
export const sanbedVersion = "0.1.0";

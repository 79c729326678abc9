/** Version of this package, written into every run. A test compares it with package.json. */
export const sanbedVersion = "0.1.0";

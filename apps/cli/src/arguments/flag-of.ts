const flagsOfLicences: Readonly<Record<string, string>> = {
  licenses: '--licence',
  licensesInformation: '--licence-type',
  subLicenses: '--sub-licence',
}

/** The flag that sets a field of a room: `customerEmail` is set by `--customer-email`. */
export function flagOf(field: string): string {
  return flagsOfLicences[field] ?? `--${field.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
}

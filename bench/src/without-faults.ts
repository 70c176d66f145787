/** Settings: a process of a test looks at every step whether a file asks for a fault; no process of a console in use does. */
export const withoutFaults = { FAULT_FILE: '' }

/** A region of a test keeps a list of all its file calls, too. */
export const regionWithoutFaults = { env: { REGION_FAULTS: '0', REGION_EXPORT_COST: '17' } }

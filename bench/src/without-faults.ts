/** Settings: a process of a test looks at every step whether a file asks for a fault; no process of a console in use does. */
export const withoutFaults = { FAULT_FILE: '' }

export const secondFactorPath = '/project/mfa_okta'

/** The name of the window in which the second factor for a covered page is passed. It closes itself afterwards. */
export const secondFactorWindow = 'roomkeeper-second-factor'

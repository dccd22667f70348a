/**
 * That of report.json: raised whenever a reader of the old version could misread a report of the new one. By itself, since who only
 * writes a report needs no schema, which takes long to load.
 */
export const reportSchemaVersion = 2;

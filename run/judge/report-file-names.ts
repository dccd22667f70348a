/** The report on a trace as JSON, from which all others are rendered, and the page, in the folder of the run. */
export const reportFileName = 'report.json';
export const pageFileName = 'report.html';

"""How a pathway becomes SVG: places, lines, shapes, letters and the legend.

`trialyst.pathways.figure` puts them together; nothing here is for other packages.
"""

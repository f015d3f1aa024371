import java.io.File;
import java.lang.management.ManagementFactory;
import weka.classifiers.Classifier;
import weka.classifiers.trees.J48;
import weka.core.Instances;
import weka.core.converters.ArffLoader;

/** Trains J48 on an ARFF file: a warm-up, then one line of CPU seconds of the thread for each line read. */
public class WekaFit {
  public static void main(String[] arguments) throws Exception {
    ArffLoader loader = new ArffLoader();
    loader.setFile(new File(arguments[0]));
    Instances data = loader.getDataSet();
    data.setClassIndex(Integer.parseInt(arguments[1]));
    data.deleteWithMissingClass();
    boolean unpruned = arguments[2].equals("unpruned");
    double enough = Double.parseDouble(arguments[3]); // seconds of warming up; 0: none
    long begin = System.nanoTime();
    while ((System.nanoTime() - begin) * 1e-9 < enough) fit(data, unpruned);
    System.out.println("ready");
    while (System.in.read() >= 0) System.out.println(fit(data, unpruned));
  }

  static double fit(Instances data, boolean unpruned) throws Exception {
    J48 tree = new J48();
    tree.setUnpruned(unpruned);
    long start = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    tree.buildClassifier(data);
    return (ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - start) * 1e-9;
  }
}
